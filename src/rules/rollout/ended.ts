import type { UnixSeconds } from "../window/window.ts";

/** How a host's pass ended, as the host says it. Its clock may be wrong. */
export type SaidOutcome = {
  readonly kind: string;
  readonly version: string;
  readonly fault: string | undefined;
  readonly at: UnixSeconds | undefined;
};

/** How a host's last move ended. `at` is by auth's clock, `said` by the host's. */
export type Ended = Omit<SaidOutcome, "at"> & { readonly said: UnixSeconds | undefined; readonly at: UnixSeconds };

/** The host's report before this one. */
export type Before = {
  readonly ended: Ended | undefined;
};

const ends: ReadonlySet<string> = new Set(["moved", "undone", "failed"]);

/** How the last move ended, after a new report. A pass that stopped did not end a move, so the earlier end stays. */
export function endedAfter(before: Before | undefined, outcome: SaidOutcome | undefined, now: UnixSeconds): Ended | undefined {
  if (outcome === undefined || !ends.has(outcome.kind)) return before?.ended;
  const { at: said, ...what } = outcome;
  // The first report may tell of an old move, so the host's own time counts.
  if (before === undefined) return { ...what, said, at: Math.min(said ?? now, now) };
  if (before.ended !== undefined && isSame(outcome, { ...before.ended, at: before.ended.said })) return before.ended;
  return { ...what, said, at: now };
}

function isSame(one: SaidOutcome, other: SaidOutcome): boolean {
  return one.kind === other.kind && one.version === other.version && one.fault === other.fault && one.at === other.at;
}
