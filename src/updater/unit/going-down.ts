import type { RunCommand } from "../../machine/processes/command.ts";
import { askingAgain } from "../../machine/processes/ask-systemd-again.ts";
import { toolEnvironment } from "./environment.ts";

const askTimeoutMs = 20_000;

/** Whether the host was told to power off, reboot or halt. False if PID 1 does not answer. */
export async function isGoingDown(run: RunCommand): Promise<boolean> {
  const command = { argv: ["systemctl", "is-system-running"], env: toolEnvironment, timeoutMs: askTimeoutMs } as const;
  const result = await askingAgain(run)(command);
  return result.kind === "exited" && result.stdout.trim() === "stopping";
}
