import { asFault } from "../../rules/fault/explain.ts";
import type { Actors } from "./ports.ts";

/** What was moved, or brought to its end, is in nobody's hand any more. What fails here is made up for by a later pass. */
export async function settle({ acting, log }: Pick<Actors, "acting" | "log">): Promise<void> {
  try {
    await acting.settle();
  } catch (thrown) {
    log("warning", `the end of the move could not be written down: ${asFault(thrown).message}`, {});
  }
}
