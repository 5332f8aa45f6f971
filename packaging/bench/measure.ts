import { spawnSync } from "node:child_process";
import { runTool } from "../tool.ts";

export type Row = {
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** What stdout must say: a run that failed early would look fast. */
  readonly expects: RegExp;
};

export type Figure = {
  readonly name: string;
  readonly milliseconds: number;
  /** The median of the ratios to the first row, each taken within one round. */
  readonly ratio: number;
  /** The largest of the process and of the children it waited for. */
  readonly peakKilobytes: number;
};

/** What is looked at is the ratio of two runs in turn: the machine's own pace wanders by a factor of two. */
const rounds = 25;
const roundsOfMemory = 5;
const longestRunMs = 30_000;

export function measure(rows: readonly Row[]): readonly Figure[] {
  const times = rows.map(() => [] as number[]);
  for (let round = 0; round < rounds + 1; round++) {
    for (const [index, row] of rows.entries()) {
      const elapsed = timeOnce(row);
      // The first round only warms the caches up.
      if (round > 0) times[index]!.push(elapsed);
    }
  }
  return rows.map((row, index) => ({
    name: row.name,
    milliseconds: median(times[index]!),
    ratio: median(times[index]!.map((time, round) => time / times[0]![round]!)),
    peakKilobytes: median(Array.from({ length: roundsOfMemory }, () => peakOnce(row))),
  }));
}

/**
 * A just-written executable counts up to 35 MB more resident memory until it has been read back from disk:
 * writes it out and drops it from the page cache.
 */
export function settleFile(path: string): void {
  runTool(["sync", path]);
  runTool(["dd", `if=${path}`, "iflag=nocache", "count=0", "status=none"]);
}

function timeOnce({ name, argv, env, expects }: Row): number {
  const [program, ...rest] = argv;
  const start = process.hrtime.bigint();
  const { status, stdout, stderr } = spawnSync(program, rest, {
    encoding: "utf8",
    timeout: longestRunMs,
    env: { ...process.env, ...env },
  });
  const elapsed = Number(process.hrtime.bigint() - start) / 1e6;
  if (status !== 0 || !expects.test(stdout)) {
    throw new Error(`"${name}" ended with ${status} and printed "${stdout.trim()}" and "${stderr.trim()}"`);
  }
  return elapsed;
}

/** The largest resident set that wait4 tells of, in kilobytes. */
function peakOnce({ argv, env }: Row): number {
  const options = { encoding: "utf8", timeout: longestRunMs, env: { ...process.env, ...env } } as const;
  const { stderr } = spawnSync("/usr/bin/time", ["--format=%M", ...argv], options);
  const peak = Number(stderr.trim().split("\n").at(-1));
  if (!Number.isInteger(peak)) throw new Error("the peak memory is unknown: install the package time");
  return peak;
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;
}
