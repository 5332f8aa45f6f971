import { spawnSync } from "node:child_process";
import { runTool } from "../tool.ts";
import { variablesAsInUnits } from "./variables.ts";

export type Row = {
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** What stdout must say, because a run that failed early would look fast. */
  readonly expects: RegExp;
};

export type Figure = {
  readonly name: string;
  readonly milliseconds: number;
  /** The median of the ratios to the first row, each within one round. */
  readonly ratio: number;
  /** The same ratio, but of processor time with that of children. Other programs on the machine disturb it less. */
  readonly processorRatio?: number;
  /** The memory of the largest process: the measured one, or a child that it waited for. */
  readonly peakKilobytes: number;
};

/** Enough rounds for stable ratios: the machine's own speed varies by a factor of two. */
const rounds = 25;
const roundsOfMemory = 5;
const longestRunMs = 30_000;
/** Enough for an inventory of 10,000 hosts. */
const mostOutputBytes = 16 * 1024 * 1024;

export function measure(rows: readonly Row[]): readonly Figure[] {
  const times = rows.map(() => [] as Timed[]);
  for (let round = 0; round < rounds + 1; round++) {
    for (const [index, row] of rows.entries()) {
      const timed = timeOnce(row);
      // Does not count the first round, which fills the caches.
      if (round > 0) times[index]!.push(timed);
    }
  }
  const [floor] = times;
  return rows.map((row, index) => ({
    name: row.name,
    milliseconds: median(times[index]!.map(({ wallMs }) => wallMs)),
    ratio: median(times[index]!.map(({ wallMs }, round) => wallMs / floor![round]!.wallMs)),
    processorRatio: median(times[index]!.map(({ processorMs }, round) => processorMs / floor![round]!.processorMs)),
    peakKilobytes: median(Array.from({ length: roundsOfMemory }, () => peakOnce(row))),
  }));
}

/**
 * Writes an executable to the disk and drops it from the page cache. A program whose file was just written seems to need up to 35 MB more memory
 * until the file is read from the disk again.
 */
export function settleFile(path: string): void {
  runTool(["sync", path]);
  runTool(["dd", `if=${path}`, "iflag=nocache", "count=0", "status=none"]);
}

type Timed = { readonly wallMs: number; readonly processorMs: number };

/** Measures with bash, which prints the processor's time in milliseconds. Other tools print hundredths of a second. */
function timeOnce(row: Row): Timed {
  const told = runUnder(["bash", "-c", 'TIMEFORMAT="%R %U %S"; time "$@"', "bash"], row);
  const [wall, user, system] = told.split(" ").map((seconds) => Number(seconds) * 1000);
  return { wallMs: wall!, processorMs: user! + system! };
}

/** The largest resident set that wait4 reports, in kilobytes. */
function peakOnce(row: Row): number {
  const peak = Number(runUnder(["/usr/bin/time", "--format=%M"], row));
  if (!Number.isInteger(peak)) throw new Error("the peak memory is unknown: install the package time");
  return peak;
}

/** Runs a program under a measuring program. Returns the last line of stderr, which has the result. */
function runUnder([program, ...words]: readonly [string, ...string[]], { name, argv, env, expects }: Row): string {
  const { status, stdout, stderr } = spawnSync(program, [...words, ...argv], {
    encoding: "utf8",
    timeout: longestRunMs,
    maxBuffer: mostOutputBytes,
    env: { ...variablesAsInUnits(process.env), ...env },
  });
  if (status !== 0 || !expects.test(stdout)) {
    throw new Error(`"${name}" ended with ${status} and printed "${stdout.trim().slice(0, 1000)}" and "${stderr.trim()}"`);
  }
  return stderr.trim().split("\n").at(-1)!;
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;
}
