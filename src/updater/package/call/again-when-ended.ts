import { setTimeout as pause } from "node:timers/promises";
import { asFault } from "../../../rules/fault/explain.ts";

/** A process that is killed for lack of memory frees some, so seconds later there may be enough. */
const pausesMs: readonly number[] = [100, 400, 1600];

/** Repeats a change that somebody killed. The change must be safe to make twice. */
export async function againWhenEnded<T>(change: () => Promise<T>): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- the point is to do one after the other
      return await change();
    } catch (thrown) {
      if (asFault(thrown).code !== "interrupted") throw thrown;
    }
    // oxlint-disable-next-line no-await-in-loop -- the point is to wait in between
    await pause(pauseMs);
  }
  return change();
}
