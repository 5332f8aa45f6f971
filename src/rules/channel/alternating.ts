import type { Version } from "../version/version.ts";
import type { UnixSeconds } from "../window/window.ts";
import { alternationSeconds, type Heard } from "./heard.ts";

export type Alternation = {
  /** The version that came back, and the other one. Both are the same if only decision numbers went back. */
  readonly versions: readonly [Version, Version];
  readonly at: UnixSeconds;
};

/** The last alternation of answers, until six hours pass without another. */
export function alternatingIn({ alternation }: Heard, now: UnixSeconds): Alternation | undefined {
  if (alternation === undefined || now < alternation.at || now - alternation.at >= alternationSeconds) return undefined;
  return { versions: alternation.between, at: alternation.at };
}

/** If the served version came back less than six hours ago: the version that it replaced, and when the six hours end. */
export function unsettledIn(
  { versions: [last] }: Heard,
  served: Version,
  now: UnixSeconds,
): { readonly other: Version; readonly until: UnixSeconds } | undefined {
  if (last?.version !== served || last.came !== "back" || last.before === undefined || last.before === served) return undefined;
  const until = last.since + alternationSeconds;
  return last.since <= now && now < until ? { other: last.before, until } : undefined;
}

export function tellAlternating({ versions: [one, other] }: Alternation): string {
  return one === other
    ? `answers that serve ${one} go back to an earlier decision of the cluster: instances of the version server disagree`
    : `the channel serves ${one} and ${other} in turn: instances of the version server disagree, or caches before it are of different age`;
}

/** The hint for the administrator of the servers, because the host's administrator can do nothing. */
export const mendAlternating =
  "have every instance and every cache serve one version: ask each of them for the channel's version with curl (unless a change was just taken back)";
