import type { Previous, Rejection } from "../plan/facts.ts";
import type { Version } from "../version/version.ts";
import type { UnixSeconds } from "../window/window.ts";
import { mostRejected, type State } from "./state.ts";

export function reject(state: State, rejection: Rejection): State {
  const others = state.rejected.filter((row) => row.packageVersion !== rejection.packageVersion);
  return { ...state, rejected: [rejection, ...others].slice(0, mostRejected) };
}

/** A way back that an administrator asked for: where it came from, undefined where that cannot be named, and where to. */
export type AskedBack = {
  readonly left: Pick<Previous, "version" | "packageVersion"> | undefined;
  readonly to: Version;
  readonly now: UnixSeconds;
};

export function rememberWayBack(state: State, back: AskedBack): State {
  return rejectLeft({ ...state, previous: undefined, repair: undefined, needsOperator: undefined }, back);
}

/** The version that an administrator left is not for this host, until another one is served or it is asked for again. */
export function rejectLeft(state: State, { left, to, now }: AskedBack): State {
  // An earlier way back that broke off half-way was mended: what it had left is not known any more.
  if (left === undefined || left.version === to) return state;
  const { version, packageVersion } = left;
  return reject(state, { served: version, packageVersion, at: now, why: "an administrator went back from it" });
}
