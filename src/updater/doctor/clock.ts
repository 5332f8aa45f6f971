import { judgeClock, type ClockVerdict } from "../../rules/decide/clock-verdict.ts";
import type { State } from "../record/state.ts";
import { findClockKeeper, type ClockKeeper } from "../unit/clock-keeper.ts";
import { askTimeKeeping, type TimeKeeping } from "../unit/time-keeping.ts";
import { printInstant } from "../../rules/window/instant.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { failed, ok, warning, type Finding } from "./check.ts";
import { withoutUnits, type Scope } from "./scope.ts";

export async function examineClock(
  { run, reach, readClock, builtAt }: Scope,
  { clock, doubtedClock }: Pick<State, "clock" | "doubtedClock">,
  install: string | undefined,
): Promise<Finding> {
  const reading = readClock();
  const verdict = judgeClock(reading, builtAt, { lastRecord: clock, lastDoubted: doubtedClock });
  const isBooted = withoutUnits(reach) === undefined;
  const keeping = isBooted ? await askTimeKeeping(run) : "unknown";
  const keeper = isBooted ? await findClockKeeper(run) : undefined;
  return tellClock(reading.now, { verdict, keeping, keeper, install });
}

export type ClockScene = {
  readonly verdict: ClockVerdict;
  readonly keeping: TimeKeeping;
  /** The program of this host that could keep the clock right. */
  readonly keeper: ClockKeeper | undefined;
  /** The command that installs one. */
  readonly install: string | undefined;
};

/** Judges the clock. A wrong one keeps every window shut; an unsynchronised one will be wrong some day. */
export function tellClock(now: UnixSeconds, scene: ClockScene): Finding {
  const { verdict, keeping, keeper, install } = scene;
  const told = `the clock says ${printInstant(now)}`;
  if (verdict.kind === "wrong") return tellWrong(`${told}: ${verdict.why}`, scene);
  switch (keeping) {
    case "synchronised":
      return ok(`${told}, synchronised`);
    case "around":
      return ok(`${told}; ${around}`);
    case "unknown":
      return ok(`${told}; whether it is synchronised is not known`);
    case "off":
      return warning(`${told}, and its synchronisation is off`, keeper?.start);
    case "not-yet":
      return warning(`${told}, and is not synchronised`, keeper?.look);
    case "nobody":
      return warning(`${told}, and nothing synchronises it`, keeper?.start ?? install);
  }
}

const around = "it is the clock of the machine around this container";

function tellWrong(told: string, { keeping, keeper, install }: ClockScene): Finding {
  if (keeping === "around") return failed(`${told}; ${around}: set it there`);
  if (keeper !== undefined) return failed(told, keeper.start);
  const keep = install === undefined ? "" : ` && ${install}`;
  const unkept = "nothing here keeps it: set it by hand, and install a program that keeps it";
  return failed(`${told}; ${unkept}`, `sudo date -s 'YYYY-MM-DD HH:MM'${keep}`);
}
