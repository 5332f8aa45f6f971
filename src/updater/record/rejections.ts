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

/** Forgets older versions that failed, because a newer served version does well here. */
export function forgetOlder(state: State, proven: Version): State {
  return { ...state, rejected: state.rejected.filter(({ served }) => compareVersions(served, proven) >= 0) };
}

/** The kept file of the installed package. */
export function buildKept({ kept }: Pick<State, "kept">, packageVersion: PackageVersion | undefined): Build | undefined {
  const file = kept.find((row) => row.packageVersion === packageVersion);
  return file && { sha256: file.sha256, bytes: file.bytes };
}

/** A rollback that an administrator asked for: from where, undefined if unknown, and to where. */
export type AskedBack = {
  readonly left: Pick<Previous, "version" | "packageVersion"> | undefined;
  readonly to: Version;
  readonly now: UnixSeconds;
};

export function rememberRollback(state: State, back: AskedBack): State {
  return rejectLeft({ ...state, previous: undefined, repair: undefined, cutOffs: undefined, needsOperator: undefined }, back);
}

/** Rejects the version that an administrator left, until a newer one does well or somebody asks for it again. */
export function rejectLeft(state: State, { left, to, now }: AskedBack): State {
  // After an earlier rollback that did not finish, nobody knows the version that was left.
  if (left === undefined || left.version === to) return state;
  const { version, packageVersion } = left;
  const build = buildKept(state, packageVersion);
  return reject(state, { served: version, packageVersion, build, at: now, why: "an administrator went back from it" });
}
