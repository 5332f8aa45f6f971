import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

export type Served = {
  readonly requests: number;
  readonly perSecond: number;
  readonly p99Ms: number;
  /** Questions whose connection broke, that took longer than half a minute, or that had another status than 200. */
  readonly lost: number;
};

export type Pace = { readonly seconds: number; readonly perSecond: number | "as fast as it can" };

/** So many that the wait of each is long against what an answer takes. */
const pacedConnections = 1000;
const fastConnections = 100;
const runFile = promisify(execFile);

/** Asks on connections that stay open, each as often as the pace wants it. */
export async function ask(url: string, { seconds, perSecond }: Pace): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), "svc-proxy-soak-"));
  try {
    const [connections, waitMs] =
      perSecond === "as fast as it can" ? [fastConnections, 0] : [pacedConnections, (1000 * pacedConnections) / perSecond];
    const script = join(folder, "pace.lua");
    writeFileSync(script, waitMs === 0 ? "" : `function delay() return ${Math.round(waitMs)} end\n`);
    const argv = ["-t1", `-c${connections}`, `-d${Math.ceil(seconds)}s`, "--timeout", "30s", "--latency", "-s", script, url];
    const { stdout } = await runFile("wrk", argv, { timeout: (seconds + 60) * 1000 });
    return parseServed(stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What wrk prints. */
export function parseServed(printed: string): Served {
  const number = (pattern: RegExp): number => Number(pattern.exec(printed)?.[1] ?? 0);
  const [requests, perSecond] = [number(/(\d+) requests in/), number(/Requests\/sec:\s+([\d.]+)/)];
  const p99 = /99%\s+([\d.]+)(us|ms|s)/.exec(printed);
  if (requests === 0 || p99 === null) throw new Error(`wrk printed:\n${printed}`);
  const errors = [...(/Socket errors: (.*)/.exec(printed)?.[1] ?? "").matchAll(/\d+/g)].map(([count]) => Number(count));
  const lost = errors.reduce((sum, count) => sum + count, number(/Non-2xx or 3xx responses: (\d+)/));
  const unit = { us: 0.001, ms: 1, s: 1000 }[p99[2] as "us" | "ms" | "s"];
  return { requests, perSecond, p99Ms: Number(p99[1]) * unit, lost };
}
