import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable } from "node:stream";
import { collectOutput, drainMs } from "./collect-output.ts";
import type { Command, CommandResult } from "./command.ts";
import { startFailure } from "./start-failure.ts";

/** How long a program may take to obey before it is killed. */
export const obeyMs = 2000;

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** Runs a quick program without loading modules; it inherits nothing of ours. A deadline or an abort also ends its children. */
export async function runCommand(command: Command): Promise<CommandResult> {
  if (command.signal?.aborted === true) return { kind: "killed", signal: "SIGTERM", stdout: "", stderr: "" };
  const [program, ...args] = command.argv;
  try {
    // Makes a process group, so that its children can be ended with it.
    return await follow(spawn(program, args, { env: command.env, stdio: ["ignore", "pipe", "pipe"], detached: true }), command);
  } catch (thrown) {
    return startFailure(program, thrown);
  }
}

function follow(child: Child, { timeoutMs, signal }: Command): Promise<CommandResult> {
  const stdout = collectOutput(child.stdout);
  const stderr = collectOutput(child.stderr);
  let isLate = false;
  let killing: NodeJS.Timeout | undefined;
  function end(): void {
    killGroup(child, "SIGTERM");
    killing ??= setTimeout(() => {
      killGroup(child, "SIGKILL");
      killing = setTimeout(leave, obeyMs);
    }, obeyMs);
  }
  /** Stops waiting for a process that outlives SIGKILL, because it waits for a dead file system. */
  function leave(): void {
    closePipes(child);
    child.unref();
    resolve(ended(null, "SIGKILL"));
  }
  function ended(status: number | null, killedBy: string | null): CommandResult {
    if (isLate) return { kind: "timed-out", afterMs: timeoutMs };
    const said = { stdout: stdout.text(), stderr: stderr.text() };
    if (killedBy !== null) return { kind: "killed", signal: killedBy, ...said };
    return { kind: "exited", status: status ?? 0, ...said, ...(stdout.isCut() ? { isCut: true as const } : {}) };
  }
  const deadline = setTimeout(() => {
    isLate = true;
    end();
  }, timeoutMs);
  signal?.addEventListener("abort", end);
  const { promise, resolve, reject } = Promise.withResolvers<CommandResult>();
  child.once("error", reject);
  child.once("exit", () => setTimeout(() => closePipes(child), drainMs).unref());
  child.once("close", (status, killedBy) => resolve(ended(status, killedBy)));
  return promise.finally(() => {
    clearTimeout(deadline);
    clearTimeout(killing);
    signal?.removeEventListener("abort", end);
  });
}

function killGroup(child: Child, signal: "SIGTERM" | "SIGKILL"): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The whole group has ended already.
  }
}

function closePipes(child: Child): void {
  child.stdout.destroy();
  child.stderr.destroy();
}
