import type { Host } from "./host.ts";

/** What each process of a unit executes: with " (deleted)" when the installed file is another by now. */
export async function executablesOf(host: Host, unit: string): Promise<readonly string[]> {
  const { stdout: group } = await host.enter(["systemctl", "show", "--property=ControlGroup", "--value", unit]);
  const line = 'while read pid; do readlink "/proc/$pid/exe"; done <"/sys/fs/cgroup/$1/cgroup.procs"';
  const { stdout } = await host.enter(["sh", "-c", line, "sh", group.trim()]);
  if (stdout === "") throw new Error(`${unit} has no process`);
  return stdout.trimEnd().split("\n");
}
