import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

export type ProcessFigures = { readonly cpuSeconds: number; readonly peakKilobytes: number };

let ticksPerSecond: number | undefined;

/** What a process and its threads have used so far. */
export function processFigures(processId: number): ProcessFigures {
  ticksPerSecond ??= Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
  const stat = readFileSync(`/proc/${processId}/stat`, "utf8");
  // The name in parentheses may hold spaces; utime and stime are the 12th and 13th field after it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const peak = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${processId}/status`, "utf8"));
  return { cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond, peakKilobytes: Number(peak?.[1]) };
}
