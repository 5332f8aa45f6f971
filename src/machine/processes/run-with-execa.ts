import type { execa as Execa } from "execa";
import { collectOutput, drainMs } from "./collect-output.ts";
import type { Command, CommandResult } from "./command.ts";
import { obeyMs } from "./run-command.ts";
import { startFailure } from "./start-failure.ts";

/** Runs package managers and other long work. Loaded only on demand, so that a quiet pass does not pay for it. */
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
    // Collected here, and capped without ending the program.
    buffer: false,
    reject: false,
    timeout: timeoutMs,
    forceKillAfterDelay: obeyMs,
    killDescendants: true,
    // Work on a package database runs to its end, even if this process does not.
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
