import { parseVersion } from "../version/version.ts";
import type { Served } from "./answer.ts";
import { decisionHeader, parseDecisionNumber, type DecisionNumber } from "./decision-number.ts";
import { channelsHeader, parseChannelsDigest, type ChannelsDigest } from "./digest.ts";

/** The header that names the version an answer speaks of: behind a balancer two questions may reach two instances. */
export const versionHeader = "x-svc-version";

/** What an answer says beside its body. Servers that nobody here made say none of it. */
export type Beside = {
  /** The configuration of the instance that answered. */
  readonly channels?: ChannelsDigest | undefined;
  /** The version that it speaks of. */
  readonly names?: Served | undefined;
  readonly decision?: DecisionNumber | undefined;
};

/** A header that came twice, or is malformed, says nothing. */
export function readBeside(headers: Readonly<Record<string, unknown>>): Beside {
  return {
    channels: parseChannelsDigest(headers[channelsHeader]),
    names: parseNamed(headers[versionHeader]),
    decision: parseDecisionNumber(headers[decisionHeader]),
  };
}

/** A version as the body of `…/version` has it, or `none`. */
export function printServed(served: Served): string {
  return served.kind === "none" ? "none" : `v${served.version}`;
}

export function isSameServed(left: Served, right: Served): boolean {
  return printServed(left) === printServed(right);
}

function parseNamed(found: unknown): Served | undefined {
  if (found === "none") return { kind: "none" };
  const version = typeof found === "string" ? parseVersion(found) : undefined;
  return version === undefined ? undefined : { kind: "version", version };
}
