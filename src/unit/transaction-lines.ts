import { setTimeout as pause } from "node:timers/promises";
import type { RunCommand } from "../host/command.ts";
import { toolEnvironment } from "./environment.ts";
import { transactionLinesArgv } from "./transaction-argv.ts";

/** Reading the journal takes some 10 ms; a large one on a slow disk longer. */
const readTimeoutMs = 20_000;
/** The journal gets a line a moment after its writer has ended. */
const settleMs = 60;
const mostReads = 25;
/** More than the longest plan that is not refused prints. */
const mostLines = 2000;

/** Reads until two readings agree; a failure has said something, so an empty reading is then not believed at once. */
export async function readLines(run: RunCommand, id: string, expected: "some" | "any"): Promise<string> {
  let last: string | undefined;
  for (let reads = 0; reads < mostReads; reads += 1) {
    const result = await run({ argv: transactionLinesArgv(id, mostLines), env: toolEnvironment, timeoutMs: readTimeoutMs });
    const lines = result.kind === "exited" ? result.stdout : "";
    if (lines === last && (lines !== "" || expected === "any")) return lines;
    last = lines;
    await pause(settleMs);
  }
  return last ?? "";
}
