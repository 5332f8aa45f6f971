import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { Fault } from "../fault/fault.ts";
import { quote } from "../fault/quote.ts";
import type { CommandResult, RunCommand } from "../host/command.ts";
import { toolEnvironment } from "./environment.ts";
import { environmentFile } from "./environment-file.ts";
import { transactionArgv, transactionLinesArgv, transactionUnit } from "./transaction-argv.ts";

/** One call that changes the host, with its whole environment and what it is for. */
export type TransactionCall = {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly what: string;
};

/** A download over a slow link takes its time. Beyond this a pass reports, and leaves the transaction to its end. */
export const transactionTimeoutMs: number = 30 * 60_000;
/** Reading the journal takes some 10 ms; a large one on a slow disk longer. */
const readTimeoutMs = 20_000;
/** The journal gets a line a moment after its writer has ended. */
const settleMs = 60;
const mostReads = 25;
/** More than the longest plan that is not refused prints. */
const mostLines = 2000;

/**
 * Runs the call in its own transient unit, so that it outlives a stop of svc-upgrade.service, a lost terminal and a restart
 * of the agent. Its output goes to the journal and is read back from there, since a pipe would end with us.
 */
export function transactInUnit(
  run: RunCommand,
  environmentPath: string,
  timeoutMs: number = transactionTimeoutMs,
): (call: TransactionCall) => Promise<CommandResult> {
  return async ({ argv, env, what }) => {
    const id = randomUUID();
    await writeEnvironment(environmentPath, env);
    try {
      const unit = transactionArgv(argv, { id, what, environmentFile: environmentPath });
      const result = await run({ argv: unit, env: toolEnvironment, timeoutMs });
      return await withItsLines(run, result, id);
    } finally {
      await rm(environmentPath, { force: true });
    }
  };
}

/** Proxy passwords may be in it: only root may read it, and it is gone with the call. */
async function writeEnvironment(path: string, env: Readonly<Record<string, string>>): Promise<void> {
  const text = environmentFile(env);
  try {
    await rm(path, { force: true });
    await writeFile(path, text, { mode: 0o600, flag: "wx" });
  } catch (thrown) {
    throw new Fault("file-failed", {
      message: `${path} could not be written`,
      hint: "start the pass with `systemctl start svc-upgrade.service`, which makes its directory",
      cause: thrown,
    });
  }
}

async function withItsLines(run: RunCommand, result: CommandResult, id: string): Promise<CommandResult> {
  if (result.kind !== "exited") return result;
  const own = result.stderr.trim();
  // With --quiet, systemd-run prints nothing but why it could not start the unit.
  if (result.status !== 0 && own.startsWith("Failed to")) throw notStarted(own);
  const needsLines = result.status !== 0;
  return { kind: "exited", status: result.status, stdout: await readLines(run, id, needsLines ? "some" : "any"), stderr: own };
}

/** Reads until two readings agree; a failure has said something, so an empty reading is then not believed at once. */
async function readLines(run: RunCommand, id: string, expected: "some" | "any"): Promise<string> {
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

function notStarted(said: string): Fault {
  if (/already (?:loaded|exists)|already exists/.test(said)) {
    return new Fault("busy", {
      message: "another transaction is still running",
      hint: `follow it with \`systemctl status ${transactionUnit}\``,
    });
  }
  return new Fault("os-failed", {
    message: `systemd did not start the transaction: ${quote(said, 300)}`,
    hint: "see whether systemd answers: `systemctl is-system-running`",
  });
}
