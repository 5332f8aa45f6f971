import { readFileSync } from "node:fs";

/** How much memory a process has, in kilobytes. `key` names the line of /proc/PID/status. */
export function memoryOf(processId: number, key: string = "VmRSS"): number {
  const kilobytes = new RegExp(`^${key}:\\s+(\\d+) kB$`, "m").exec(readFileSync(`/proc/${processId}/status`, "utf8"))?.[1];
  return Number(kilobytes);
}

export function mebibytes(kilobytes: number): string {
  return `${(kilobytes / 1024).toFixed(1)} MiB`;
}
