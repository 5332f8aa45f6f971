import { setTimeout as pause } from "node:timers/promises";
import type { RunCommand } from "../../../machine/processes/command.ts";

/** A process that is killed for lack of memory frees some, so seconds later there may be enough. */
const pausesMs: readonly number[] = [100, 400, 1600];

/** Asks again if a signal that we did not send killed the program. A question changes nothing. */
export function againWhenKilled(run: RunCommand, pauses: readonly number[] = pausesMs): RunCommand {
  return async (command) => {
    for (const pauseMs of pauses) {
      const result = await run(command);
      if (result.kind !== "killed" || command.signal?.aborted === true) return result;
      // oxlint-disable-next-line no-await-in-loop -- the point is to wait in between
      await pause(pauseMs);
    }
    return run(command);
  };
}
