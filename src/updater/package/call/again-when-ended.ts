import { setTimeout as pause } from "node:timers/promises";
import { asFault } from "../../../rules/fault/explain.ts";

/** Whoever runs out of memory takes what is there; seconds later it may be over. */
const pausesMs: readonly number[] = [100, 400, 1600];

/** For a change that may be made twice: one that somebody ended in the middle is made again. */
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
