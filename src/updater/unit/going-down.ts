import type { RunCommand } from "../../machine/processes/command.ts";
import { askingAgain } from "../../machine/processes/ask-systemd-again.ts";
import { toolEnvironment } from "./environment.ts";

const askTimeoutMs = 20_000;

/** Whether somebody told the host to power off, reboot or halt. If PID 1 does not answer: no. */
export async function isGoingDown(run: RunCommand): Promise<boolean> {
  const command = { argv: ["systemctl", "is-system-running"], env: toolEnvironment, timeoutMs: askTimeoutMs } as const;
  const result = await askingAgain(run)(command);
  return result.kind === "exited" && result.stdout.trim() === "stopping";
}
