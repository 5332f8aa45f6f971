import { randomUUID } from "node:crypto";
import { Fault } from "../../rules/fault/fault.ts";
import type { CommandResult, RunCommand } from "../../machine/processes/command.ts";
import { removeFile } from "../../machine/files/remove-file.ts";
import { writeFileAtomically } from "../../machine/files/write-file.ts";
import { readFileCapped } from "../../machine/files/read-file.ts";
import { environmentFile } from "../../rules/settings/environment-file.ts";
import { followTransaction, type Followed } from "./follow-transaction.ts";
import type { Stopwatch } from "../../machine/clocks/stopwatch.ts";
import { startTransaction } from "./start-transaction.ts";
import { transactionArgv, transactionUnit, transactionLinesArgv } from "./transaction-argv.ts";
import { readEnd } from "./transaction-end.ts";
import { setTimeout as pause } from "node:timers/promises";
import { toolEnvironment } from "./environment.ts";

/** One call that changes the host, with its whole environment and its purpose. */
export type TransactionCall = {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly what: string;
  /** "apart" keeps its stdout out of the journal. */
  readonly output?: "journal" | "apart";
};

export type TransactEffects = {
  readonly run: RunCommand;
  readonly stopwatch: Stopwatch;
  /** A directory of root. It holds a call's environment while the call runs, and how it ended. */
  readonly directory: string;
};

/** Long, because a download over a slow link takes time. After this the pass reports, and the transaction continues. */
export const transactionTimeoutMs: number = 30 * 60_000;

/**
 * Runs the call in its own transient unit, so that it outlives a stop of svc-upgrade.service, a lost terminal and a restart of the agent. Reads its
 * output from the journal, because a pipe would end with us. Returns only after the call's end. Throws if the end is unknown; then nothing may be
 * judged or changed.
 */
export function transactInUnit(
  effects: TransactEffects,
  timeoutMs: number = transactionTimeoutMs,
): (call: TransactionCall) => Promise<CommandResult> {
  const { run, stopwatch, directory } = effects;
  const [environmentPath, endFile] = [`${directory}/transaction.env`, `${directory}/transaction-end`];
  const apart = `${directory}/transaction-output`;
  return async ({ argv, env, what, output = "journal" }) => {
    const id = randomUUID();
    const deadlineMs = stopwatch.nowMs() + timeoutMs;
    // Only root may read the file, because it may hold proxy passwords. It is removed after the call.
    writeFileAtomically(environmentPath, environmentFile(env), { root: "/", mode: 0o600, fault: "file-failed" });
    removeFile(apart, "/");
    const outputFile = output === "apart" ? apart : undefined;
    const unit = transactionArgv(argv, { id, what, environmentFile: environmentPath, endFile, outputFile });
    const following = { id, run, stopwatch, readEnd: () => readEnd(endFile, id) };
    let ended: Followed | undefined;
    try {
      await startTransaction(unit, following);
      ended = await followTransaction(following, deadlineMs);
    } finally {
      // Removes the file only after the end, because the unit's last command reads it too.
      if (ended !== "under way") removeFile(environmentPath, "/");
    }
    if (ended === "under way") throw stillRunning(timeoutMs);
    if (ended.kind !== "exited") return ended;
    if (outputFile !== undefined) return { ...ended, stdout: takeOutput(outputFile), stderr: await readLines(run, id, "any") };
    return { ...ended, stdout: await readLines(run, id, ended.status === 0 ? "any" : "some") };
  };
}

/** Enough for a plan, which prints some hundred bytes for each file. */
const outputCapBytes: number = 1024 * 1024;

function takeOutput(path: string): string {
  const reading = readFileCapped(path, { capBytes: outputCapBytes, links: "refuse" });
  removeFile(path, "/");
  return reading.kind === "read" ? reading.text : "";
}

function stillRunning(afterMs: number): Fault {
  return new Fault("busy", {
    message: `a transaction is still running after ${Math.round(afterMs / 60_000)} minutes`,
    hint: `follow it with \`systemctl status ${transactionUnit}\``,
  });
}

/** Reading takes some 10 ms, and longer for a large journal on a slow disk. */
const readTimeoutMs = 20_000;
/** The journal gets a line a moment after its writer ended. */
const settleMs = 60;
const mostReads = 25;
/** More lines than the longest accepted plan prints. */
const mostLines = 2000;

/** Reads until two readings agree. Does not believe one empty reading of a failed program, which must have printed something. */
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
