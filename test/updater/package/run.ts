import { spawn } from "node:child_process";
import type { CommandResult, RunCommand } from "../../../src/machine/processes/command.ts";

/** Runs programs for real, behind a prefix such as `unshare -r`. */
export function runBehind(prefix: readonly string[]): RunCommand {
  return ({ argv, env, timeoutMs }) =>
    new Promise<CommandResult>((resolve) => {
      const [program = "", ...rest] = [...prefix, ...argv];
      const child = spawn(program, rest, { env, stdio: ["ignore", "pipe", "pipe"], timeout: timeoutMs, killSignal: "SIGKILL" });
      let stdout = "";
      let stderr = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
      child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
      child.on("error", (error) => resolve({ kind: "not-started", reason: "missing", message: error.message }));
      child.on("close", (status, signal) =>
        resolve(
          signal === null ? { kind: "exited", status: status ?? 1, stdout, stderr } : { kind: "killed", signal, stdout, stderr },
        ),
      );
    });
}
