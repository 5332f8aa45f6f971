import { judgeClock, type ClockVerdict } from "../decide/clock.ts";
import type { State } from "../record/state.ts";
import { askTimeKeeping, type TimeKeeping } from "../unit/time-keeping.ts";
import { printInstant } from "../window/instant.ts";
import type { UnixSeconds } from "../window/window.ts";
import type { Finding } from "./check.ts";
import { withoutUnits, type Scope } from "./scope.ts";

export async function examineClock(
  { run, reach, readClock, builtAt }: Scope,
  { clock, doubtedClock }: Pick<State, "clock" | "doubtedClock">,
  install: string | undefined,
): Promise<Finding> {
  const reading = readClock();
  const verdict = judgeClock(reading, builtAt, { lastRecord: clock, lastDoubted: doubtedClock });
  const keeping = withoutUnits(reach) === undefined ? await askTimeKeeping(run) : "unknown";
  return tellClock(reading.now, { verdict, keeping, install });
}

export type ClockScene = {
  readonly verdict: ClockVerdict;
  readonly keeping: TimeKeeping;
  /** What installs a program that keeps the clock. */
  readonly install: string | undefined;
};

const synchronise = "sudo timedatectl set-ntp true";

/** A clock that is plainly wrong keeps every window shut; one that nobody keeps will be wrong. */
export function tellClock(now: UnixSeconds, { verdict, keeping, install }: ClockScene): Finding {
  const told = `the clock says ${printInstant(now)}`;
  if (verdict.kind === "wrong") return { verdict: "failed", told: `${told}: ${verdict.why}`, fix: synchronise };
  switch (keeping) {
    case "synchronised":
      return { verdict: "ok", told: `${told}, synchronised` };
    case "around":
      return { verdict: "ok", told: `${told}; it is the clock of the machine around this container` };
    case "unknown":
      return { verdict: "ok", told: `${told}; whether it is synchronised is not known` };
    case "off":
      return { verdict: "warning", told: `${told}, and its synchronisation is off`, fix: synchronise };
    case "not-yet":
      return { verdict: "warning", told: `${told}, and is not synchronised`, fix: "timedatectl timesync-status" };
    case "nobody":
      return {
        verdict: "warning",
        told: `${told}, and nothing synchronises it`,
        ...(install === undefined ? {} : { fix: install }),
      };
  }
}
