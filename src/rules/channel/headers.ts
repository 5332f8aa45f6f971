import { parseVersion } from "../version/version.ts";
import type { Served } from "./answer.ts";
import { asksHostHeader, forHostHeader, parseHostId, type HostId } from "./asking-host.ts";
import { decisionHeader, parseDecisionNumber, unconfirmedHeader, type DecisionNumber } from "./decision-number.ts";
import { channelsHeader, parseChannelsDigest, type ChannelsDigest } from "./digest.ts";

/** The header that names an answer's version, because behind a balancer two requests may reach two instances. */
export const versionHeader = "x-svc-version";

/** The headers beside an answer's body. Other servers than ours send none of them. */
export type Beside = {
  /** The digest of the answering instance's channels. */
  readonly channels?: ChannelsDigest | undefined;
  /** The version that the answer is about. */
  readonly names?: Served | undefined;
  readonly decision?: DecisionNumber | undefined;
  /** The server does not know whether the decision is still in force. */
  readonly isUnconfirmed?: true | undefined;
  /** The channel's answer depends on the host's name. */
  readonly asksHost?: true | undefined;
  /** The host that the answer was made for. */
  readonly forHost?: HostId | undefined;
};

/** Reads the headers beside an answer. Ignores a header that came twice or is malformed. */
export function readBeside(headers: Readonly<Record<string, unknown>>): Beside {
  return {
    channels: parseChannelsDigest(headers[channelsHeader]),
    names: parseNamed(headers[versionHeader]),
    decision: parseDecisionNumber(headers[decisionHeader]),
    isUnconfirmed: headers[unconfirmedHeader] === "yes" ? true : undefined,
    asksHost: headers[asksHostHeader] === "yes" ? true : undefined,
    forHost: parseHostId(headers[forHostHeader]),
  };
}

/** A version as in the body of `…/version`, or `none`. */
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
