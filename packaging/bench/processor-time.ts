import { readFileSync } from "node:fs";

/** The kernel's unit of time. USER_HZ is 100 on every platform that matters. */
const tickMicroseconds = 10_000;

/** A process's user and system time in microseconds, from /proc. Its name may contain spaces and parentheses. */
export function processorTimeOf(processId: number): number {
  const fields = readFileSync(`/proc/${processId}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tickMicroseconds;
}
