import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

export type Loaded = { readonly perSecond: number; readonly p99Ms: number; readonly cpuMicroseconds: number };

export type Server = { readonly processId: number; readonly url: string };

const seconds = 3;
const connections = 64;
/** The client has a processor of its own. */
const clientProcessor = "1";
/** What the kernel counts in (USER_HZ is 100 on every platform that matters). */
const tickMicroseconds = 10_000;

/** As many questions as one client can ask in a few seconds, and what each of them cost the server. */
export function load({ processId, url }: Server): Loaded {
  const before = ticksOf(processId);
  const argv = ["-c", clientProcessor, "wrk", "-t1", `-c${connections}`, `-d${seconds}s`, "--latency", url];
  const { stdout, error } = spawnSync("taskset", argv, { encoding: "utf8", timeout: (seconds + 30) * 1000 });
  if (error !== undefined) throw new Error(`the client did not run: install the package wrk (${error.message})`);
  const spent = (ticksOf(processId) - before) * tickMicroseconds;
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`${url} did not answer everything:\n${stdout}`);
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1]);
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  if (!(requests > 0) || !(perSecond > 0)) throw new Error(`the client said:\n${stdout}`);
  return { perSecond, p99Ms: milliseconds(/99%\s+([\d.]+)(us|ms|s)/.exec(stdout)), cpuMicroseconds: spent / requests };
}

/** User and system time of a process, from /proc; its name may hold spaces and parentheses. */
function ticksOf(processId: number): number {
  const fields = readFileSync(`/proc/${processId}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

function milliseconds(found: RegExpExecArray | null): number {
  const factors: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000 };
  return Number(found?.[1]) * (factors[found?.[2] ?? ""] ?? Number.NaN);
}
