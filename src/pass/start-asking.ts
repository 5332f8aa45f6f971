import type { Log } from "../host/log.ts";
import type { Paths } from "../host/paths.ts";
import { hasStrangers } from "../store/hand-over.ts";
import type { JobLimits } from "../unit/job.ts";
import { askingUnit } from "../unit/own-units.ts";
import type { UnitControl } from "../unit/systemctl.ts";

/** Starts the asking unit and waits for its end; what systemd complained of, if it did. */
export type StartAsking = () => Promise<string | undefined>;

export type AskingScope = {
  readonly paths: Paths;
  readonly control: Pick<UnitControl, "change" | "clean">;
  readonly log: Log;
  readonly limits?: JobLimits;
};

/** What an earlier run left that is not its own is removed first, by systemd: whoever left it may have closed it to all others. */
export function startAsking({ paths, control, log, limits }: AskingScope): StartAsking {
  return async () => {
    if (hasStrangers(paths)) {
      log("warning", "the asking unit left more than its answer: somebody may have taken it over; what it left is removed", {
        unit: askingUnit,
      });
      const complaint = await control.clean(askingUnit);
      if (complaint !== undefined) return `what it had left could not be removed: ${complaint}`;
    }
    return control.change("start", askingUnit, limits);
  };
}
