import { decodeValue, type Reading } from "../../rules/shape/read.ts";
import { count, maybe, orElse, record, text, word } from "../../rules/shape/shape.ts";

/** The part of a Lease of coordination.k8s.io that decides who leads. Its times come from other clocks and decide nothing. */
export type SeenLease = {
  readonly resourceVersion: string;
  /** Empty if nobody holds it. */
  readonly holder: string;
  /** How long the holder keeps the Lease without renewing it. */
  readonly seconds: number;
};

const longestHolder = 1024;
/** A longer lease counts as one of this length. */
const longestSeconds = 86_400;

const shape = record({
  metadata: record({ resourceVersion: word }),
  spec: orElse(record({ holderIdentity: orElse(text(longestHolder), ""), leaseDurationSeconds: maybe(count) }), {
    holderIdentity: "",
    leaseDurationSeconds: undefined,
  }),
});

export function readLease(found: unknown): Reading<SeenLease> {
  const reading = decodeValue(found, shape, "ignored");
  if (reading.kind === "unreadable") return reading;
  const { metadata, spec } = reading.value;
  const { holderIdentity: holder, leaseDurationSeconds: seconds = 0 } = spec;
  return {
    kind: "read",
    value: { resourceVersion: metadata.resourceVersion, holder, seconds: Math.min(seconds, longestSeconds) },
  };
}

/** The times come from this process's own monotonic clock. */
export type LeaseSight = {
  /** Undefined if no Lease exists. */
  readonly lease: SeenLease | undefined;
  /** When this process first saw the Lease like this. */
  readonly sinceMs: number;
};

export type OwnClaim = {
  readonly self: string;
  readonly durationMs: number;
  /** When the last answered write was sent; undefined if there was none. */
  readonly renewedMs: number | undefined;
};

const never = Number.POSITIVE_INFINITY;

/** When this process writes the Lease next, to get it or to keep it. */
export function claimDueMs(sight: LeaseSight | undefined, { self, durationMs, renewedMs }: OwnClaim): number {
  if (sight === undefined) return never;
  const { lease, sinceMs } = sight;
  // An uninstallation deletes the Lease before it ends this process. A Lease made at once would be left behind without an owner.
  if (lease === undefined) return sinceMs + durationMs;
  if (lease.holder === "") return sinceMs;
  // A process that restarted in the same pod renews at once.
  if (lease.holder === self) return renewedMs === undefined ? sinceMs : renewedMs + durationMs / 3;
  return sinceMs + lease.seconds * 1000;
}

/** Until when this process leads. It stops long before another process, which sees the same write later, may take over. */
export function leadsUntilMs(sight: LeaseSight | undefined, { self, durationMs, renewedMs }: OwnClaim): number {
  const isOwn = sight?.lease?.holder === self && renewedMs !== undefined;
  return isOwn ? renewedMs + (durationMs * 2) / 3 : -never;
}

/** The previous leader, for the log. */
export function leaderBefore(sight: LeaseSight | undefined, self: string): string {
  const { holder = "", seconds = 0 } = sight?.lease ?? {};
  if (holder === self) return "this pod";
  return holder === "" ? "nobody" : `${holder}, which has not renewed it for ${seconds} seconds`;
}
