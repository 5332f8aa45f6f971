import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { processorTimeOf } from "../processor-time.ts";

export type Loaded = {
  readonly requests: number;
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly cpuMicroseconds: number;
};

export type Server = { readonly processId: number; readonly url: string; readonly headers?: readonly string[] };

const connections = 64;
const runFile = promisify(execFile);

export type Client = { readonly processor: string; readonly seconds: number };

/** Asks as much as one client can in a few seconds. Returns what each question cost the server. */
export async function load({ processId, url, headers = [] }: Server, { processor, seconds }: Client): Promise<Loaded> {
  const before = processorTimeOf(processId);
  const argv = [
    "-c",
    processor,
    "wrk",
    "-t1",
    `-c${connections}`,
    `-d${seconds}s`,
    "--latency",
    ...headers.flatMap((header) => ["-H", header]),
    url,
  ];
  const { stdout } = await runFile("taskset", argv, { timeout: (seconds + 30) * 1000 });
  const spent = processorTimeOf(processId) - before;
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`${url} did not answer everything:\n${stdout}`);
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1]);
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  if (!(requests > 0) || !(perSecond > 0)) throw new Error(`the client said:\n${stdout}`);
  return { requests, perSecond, p99Ms: milliseconds(/99%\s+([\d.]+)(us|ms|s)/.exec(stdout)), cpuMicroseconds: spent / requests };
}

/** Adds up what several servers did at the same time. */
export function together(all: readonly Loaded[]): Loaded {
  const sum = (pick: (loaded: Loaded) => number): number => all.reduce((total, loaded) => total + pick(loaded), 0);
  const requests = sum((loaded) => loaded.requests);
  return {
    requests,
    perSecond: sum(({ perSecond }) => perSecond),
    p99Ms: Math.max(...all.map(({ p99Ms }) => p99Ms)),
    cpuMicroseconds: sum((loaded) => loaded.cpuMicroseconds * loaded.requests) / requests,
  };
}

function milliseconds(found: RegExpExecArray | null): number {
  const factors: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000 };
  return Number(found?.[1]) * (factors[found?.[2] ?? ""] ?? Number.NaN);
}
