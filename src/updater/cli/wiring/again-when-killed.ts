import { setTimeout as pause } from "node:timers/promises";
import type { RunCommand } from "../../../machine/processes/command.ts";

/** A process that is killed for lack of memory frees some; seconds later there may be enough. */
const pausesMs: readonly number[] = [100, 400, 1600];

/** Runs a question again if a signal killed its program and we did not send it. Questions change nothing. */
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
