import type { Host } from "./host.ts";
import { until } from "./until.ts";

/** A process begins as a copy of systemd and executes its program milliseconds later; a busy machine takes longer. */
export const longestExecMs = 10_000;

/** PID 1 itself or, since systemd 255, the program by which it starts others. */
export function isOfSystemd(executable: string): boolean {
  return /^(?:\/usr)?\/lib\/systemd\/systemd(?:-executor)?(?: \(deleted\))?$/.test(executable);
}

/** What each process of a unit executes: with " (deleted)" when the installed file is another by now. */
export function executablesOf(host: Host, unit: string): Promise<readonly string[]> {
  return until(`every process of ${unit} executes its program`, longestExecMs, async () => {
    const executables = await executablesNow(host, unit);
    return executables.some(isOfSystemd) ? undefined : executables;
  });
}

async function executablesNow(host: Host, unit: string): Promise<readonly string[]> {
  const { stdout: group } = await host.enter(["systemctl", "show", "--property=ControlGroup", "--value", unit]);
  const line = 'while read pid; do readlink "/proc/$pid/exe"; done <"/sys/fs/cgroup/$1/cgroup.procs"';
  const { stdout } = await host.enter(["sh", "-c", line, "sh", group.trim()]);
  if (stdout === "") throw new Error(`${unit} has no process`);
  return stdout.trimEnd().split("\n");
}
