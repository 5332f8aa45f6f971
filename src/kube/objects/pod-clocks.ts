import { judgeClock, type ClockVerdict } from "../../rules/decide/clock-verdict.ts";
import { printInstant } from "../../rules/window/instant.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

/** Two clocks of one cluster may differ by this much. */
const mostApartSeconds = 600;

export type Clocks = {
  readonly now: UnixSeconds;
  /** The API server's clock, from its answers; undefined before the first. */
  readonly witness: UnixSeconds | undefined;
  readonly builtAt: UnixSeconds;
  /** When this updater last wrote the record. */
  readonly recordedAt: UnixSeconds | undefined;
};

/** Judges the clock of a pod, which cannot tell whether it is synchronised. The API server's clock is the second witness. */
export function judgeClocks({ now, witness, builtAt, recordedAt }: Clocks): ClockVerdict {
  if (witness !== undefined && Math.abs(witness - now) > mostApartSeconds) {
    return { kind: "wrong", why: `the API server's clock says ${printInstant(witness)}` };
  }
  const unknown = { sinceBootSeconds: 0, bootId: "" };
  return judgeClock({ now, ...unknown, isSynchronised: witness !== undefined }, builtAt, {
    lastRecord: recordedAt === undefined ? undefined : { now: recordedAt, ...unknown },
    lastDoubted: undefined,
  });
}
