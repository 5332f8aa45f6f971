import { decodeValue, type Reading } from "../../rules/shape/read.ts";
import { count, maybe, orElse, record, text, word } from "../../rules/shape/shape.ts";

/** What of a Lease of coordination.k8s.io decides who leads. Its times are those of other clocks, and decide nothing. */
export type SeenLease = {
  readonly resourceVersion: string;
  /** Empty: nobody has it. */
  readonly holder: string;
  /** How long its holder has it without renewing it. */
  readonly seconds: number;
};

const longestHolder = 1024;
/** What holds for longer holds for this long. */
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

/** By this process's own monotonic clock. */
export type LeaseSight = {
  /** Undefined: there is none. */
  readonly lease: SeenLease | undefined;
  /** Since when it was seen unchanged. */
  readonly sinceMs: number;
};

export type OwnClaim = {
  readonly self: string;
  readonly durationMs: number;
  /** When the last write that was answered was sent; undefined: there was none. */
  readonly renewedMs: number | undefined;
};

const never = Number.POSITIVE_INFINITY;

/** When this process writes the Lease next, to have it or to keep it. */
export function claimDueMs(sight: LeaseSight | undefined, { self, durationMs, renewedMs }: OwnClaim): number {
  if (sight === undefined) return never;
  const { lease, sinceMs } = sight;
  // An uninstallation deletes it before it ends this process: what is made anew at once would be left behind, and nobody's.
  if (lease === undefined) return sinceMs + durationMs;
  if (lease.holder === "") return sinceMs;
  // A process that began again in the same pod renews at once.
  if (lease.holder === self) return renewedMs === undefined ? sinceMs : renewedMs + durationMs / 3;
  return sinceMs + lease.seconds * 1000;
}

/** Until when this process leads: it has stopped long before another one may take over that has seen the same write later. */
export function leadsUntilMs(sight: LeaseSight | undefined, { self, durationMs, renewedMs }: OwnClaim): number {
  const isOwn = sight?.lease?.holder === self && renewedMs !== undefined;
  return isOwn ? renewedMs + (durationMs * 2) / 3 : -never;
}

/** Who led before, as a log tells it. */
export function leaderBefore(sight: LeaseSight | undefined, self: string): string {
  const { holder = "", seconds = 0 } = sight?.lease ?? {};
  if (holder === self) return "this pod";
  return holder === "" ? "nobody" : `${holder}, which has not renewed it for ${seconds} seconds`;
}
