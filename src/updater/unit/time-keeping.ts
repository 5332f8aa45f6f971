import type { RunCommand } from "../../machine/processes/command.ts";
import { askingAgain } from "../../machine/processes/ask-systemd-again.ts";
import { toolEnvironment } from "./environment.ts";
import { askTimeoutMs } from "./properties.ts";

/**
 * What keeps the clock right. "around": the machine around this container. "nobody": no program for it is installed. "off": a program is installed
 * but not enabled. "not-yet": a program runs, but the kernel does not call the clock synchronised.
 */
export type TimeKeeping = "synchronised" | "around" | "nobody" | "off" | "not-yet" | "unknown";

export async function askTimeKeeping(run: RunCommand): Promise<TimeKeeping> {
  const call = (argv: readonly [string, ...string[]]): ReturnType<RunCommand> =>
    askingAgain(run)({ argv, env: toolEnvironment, timeoutMs: askTimeoutMs });
  const container = await call(["systemd-detect-virt", "--container", "--quiet"]);
  if (container.kind === "exited" && container.status === 0) return "around";
  const shown = await call(["timedatectl", "show", "--property=CanNTP", "--property=NTP", "--property=NTPSynchronized"]);
  return shown.kind === "exited" && shown.status === 0 ? parseTimeKeeping(shown.stdout) : "unknown";
}

export function parseTimeKeeping(output: string): TimeKeeping {
  const isYes = (key: string): boolean => output.split("\n").includes(`${key}=yes`);
  if (isYes("NTPSynchronized")) return "synchronised";
  if (!isYes("CanNTP")) return "nobody";
  return isYes("NTP") ? "not-yet" : "off";
}
