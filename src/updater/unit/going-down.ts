import type { RunCommand } from "../../machine/processes/command.ts";
import { askingAgain } from "../../machine/processes/ask-systemd-again.ts";
import { toolEnvironment } from "./environment.ts";

const askTimeoutMs = 20_000;

/** From the moment that somebody has told the host to power off, reboot or halt. Where PID 1 gives no answer it is not known. */
export async function isGoingDown(run: RunCommand): Promise<boolean> {
  const command = { argv: ["systemctl", "is-system-running"], env: toolEnvironment, timeoutMs: askTimeoutMs } as const;
  const result = await askingAgain(run)(command);
  return result.kind === "exited" && result.stdout.trim() === "stopping";
}
