import { asFault } from "../../rules/fault/explain.ts";
import type { Actors } from "./ports.ts";

/** Closes the finished move. If this fails, a later pass does it. */
export async function settle({ acting, log }: Pick<Actors, "acting" | "log">): Promise<void> {
  try {
    await acting.settle();
  } catch (thrown) {
    log("warning", `the end of the move could not be written down: ${asFault(thrown).message}`, {});
  }
}
