import { readFileSync } from "node:fs";

/** What the kernel counts in (USER_HZ is 100 on every platform that matters). */
const tickMicroseconds = 10_000;

/** User and system time of a process in microseconds, from /proc; its name may hold spaces and parentheses. */
export function processorTimeOf(processId: number): number {
  const fields = readFileSync(`/proc/${processId}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tickMicroseconds;
}
