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

/** One call that changes the host: its whole environment and its purpose. */
export type TransactionCall = {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly what: string;
  /** "apart": its stdout stays out of the journal. */
  readonly output?: "journal" | "apart";
};

export type TransactEffects = {
  readonly run: RunCommand;
  readonly stopwatch: Stopwatch;
  /** A directory of root, with a call's environment while it runs, and with its end. */
  readonly directory: string;
};

/** A download over a slow link takes long. After this the pass reports, and the transaction runs on. */
export const transactionTimeoutMs: number = 30 * 60_000;

/**
 * Runs the call in its own transient unit, so that it outlives a stop of svc-upgrade.service, a lost terminal and a restart of the agent.
 * Its output goes to the journal and is read from there, because a pipe would end with us. Returns only after the call's end; throws if the
 * end is unknown, and then nothing may be judged or changed.
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
    // It may hold proxy passwords: only root may read it, and it is removed after the call.
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
      // The unit's last command reads this file too, so it is removed only after the end.
      if (ended !== "under way") removeFile(environmentPath, "/");
    }
    if (ended === "under way") throw stillRunning(timeoutMs);
    if (ended.kind !== "exited") return ended;
    if (outputFile !== undefined) return { ...ended, stdout: takeOutput(outputFile), stderr: await readLines(run, id, "any") };
    return { ...ended, stdout: await readLines(run, id, ended.status === 0 ? "any" : "some") };
  };
}

/** Some hundred bytes for each file in a plan. */
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

/** The journal is read in some 10 ms; a large one on a slow disk takes longer. */
const readTimeoutMs = 20_000;
/** The journal gets a line a moment after its writer ends. */
const settleMs = 60;
const mostReads = 25;
/** More lines than the longest accepted plan prints. */
const mostLines = 2000;

/** Reads until two readings agree. A failed program has printed something, so one empty reading is not believed. */
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
