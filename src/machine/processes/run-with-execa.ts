import type { execa as Execa } from "execa";
import { collectOutput, drainMs } from "./collect-output.ts";
import type { Command, CommandResult } from "./command.ts";
import { obeyMs } from "./run-command.ts";
import { startFailure } from "./start-failure.ts";

/** Runs package managers and other long work. Loaded only when needed, because a pass without such work should not pay for it. */
export async function runWithExeca(command: Command): Promise<CommandResult> {
  if (command.signal?.aborted === true) return { kind: "killed", signal: "SIGTERM", stdout: "", stderr: "" };
  const { execa } = await import("execa");
  try {
    return await run(execa, command);
  } catch (thrown) {
    // With `reject: false` execa throws only for invalid arguments.
    return startFailure(command.argv[0], thrown);
  }
}

async function run(execa: typeof Execa, { argv, env, timeoutMs, signal }: Command): Promise<CommandResult> {
  const [program, ...args] = argv;
  const child = execa(program, args, {
    env,
    extendEnv: false,
    stdin: "ignore",
    // Collects the output here, with a limit that does not end the program.
    buffer: false,
    reject: false,
    timeout: timeoutMs,
    forceKillAfterDelay: obeyMs,
    killDescendants: true,
    // Leaves the program running if this process ends: work on a package database must be finished.
    cleanup: false,
    ...(signal === undefined ? {} : { cancelSignal: signal }),
  });
  const stdout = collectOutput(child.stdout);
  const stderr = collectOutput(child.stderr);
  child.nodeChildProcess.once("exit", () => {
    setTimeout(() => {
      child.stdout.destroy();
      child.stderr.destroy();
    }, drainMs).unref();
  });
  const result = await child;
  if (result.timedOut) return { kind: "timed-out", afterMs: timeoutMs };
  if (result.isCanceled || result.signal !== undefined) {
    return { kind: "killed", signal: result.signal ?? "SIGTERM", stdout: stdout.text(), stderr: stderr.text() };
  }
  if (result.exitCode === undefined) return startFailure(program, result.cause);
  const cut = stdout.isCut() ? { isCut: true as const } : {};
  return { kind: "exited", status: result.exitCode, stdout: stdout.text(), stderr: stderr.text(), ...cut };
}
