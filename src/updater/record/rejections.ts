import type { Build } from "../../rules/decide/gate-facts.ts";
import type { Previous, RejectedPackage } from "../plan/host-facts.ts";
import { compareVersions, type Version } from "../../rules/version/version.ts";
import type { PackageVersion } from "../../rules/version/wrapped.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { mostRejected, type State } from "./state.ts";

export function reject(state: State, rejection: RejectedPackage): State {
  const others = state.rejected.filter((row) => row.packageVersion !== rejection.packageVersion);
  return { ...state, rejected: [rejection, ...others].slice(0, mostRejected) };
}

/** A newer version that is served and does well here: nobody comes back to the older ones that failed. */
export function forgetOlder(state: State, proven: Version): State {
  return { ...state, rejected: state.rejected.filter(({ served }) => compareVersions(served, proven) >= 0) };
}

/** The very file that was installed, where it is kept. */
export function buildKept({ kept }: Pick<State, "kept">, packageVersion: PackageVersion | undefined): Build | undefined {
  const file = kept.find((row) => row.packageVersion === packageVersion);
  return file && { sha256: file.sha256, bytes: file.bytes };
}

/** A rollback that an administrator asked for: where it came from, undefined where that cannot be named, and where to. */
export type AskedBack = {
  readonly left: Pick<Previous, "version" | "packageVersion"> | undefined;
  readonly to: Version;
  readonly now: UnixSeconds;
};

export function rememberRollback(state: State, back: AskedBack): State {
  return rejectLeft({ ...state, previous: undefined, repair: undefined, cutOffs: undefined, needsOperator: undefined }, back);
}

/** The version that an administrator left is not for this host, until a newer one has done well or it is asked for again. */
export function rejectLeft(state: State, { left, to, now }: AskedBack): State {
  // An earlier rollback that did not finish was repaired: what it had left is not known any more.
  if (left === undefined || left.version === to) return state;
  const { version, packageVersion } = left;
  const build = buildKept(state, packageVersion);
  return reject(state, { served: version, packageVersion, build, at: now, why: "an administrator went back from it" });
}
