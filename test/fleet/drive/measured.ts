import type { ProcessFigures } from "./process-figures.ts";

export type Notes = {
  readonly answers: readonly { readonly endedMs: number; readonly tookMs: number }[];
  /** How late this program itself was with each look. */
  readonly lateMs: readonly number[];
  readonly errors: readonly string[];
};

export type Measured = {
  readonly answered: number;
  readonly errors: readonly string[];
  readonly meanPerSecond: number;
  readonly peakPerSecond: number;
  readonly latencyMs: { readonly p50: number; readonly p99: number };
  readonly lateMs: { readonly p50: number; readonly p99: number };
  readonly cpuSecondsPerRequest: number;
  readonly peakKilobytes: number;
};

export function measured({ answers, lateMs, errors }: Notes, { cpuSeconds, peakKilobytes }: ProcessFigures): Measured {
  const perSecond = new Map<number, number>();
  for (const { endedMs } of answers) {
    const second = Math.floor(endedMs / 1000);
    perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
  }
  const lastMs = answers.reduce((last, { endedMs }) => Math.max(last, endedMs), 0);
  return {
    answered: answers.length,
    errors,
    meanPerSecond: (answers.length * 1000) / lastMs,
    peakPerSecond: Math.max(0, ...perSecond.values()),
    latencyMs: percentiles(answers.map(({ tookMs }) => tookMs)),
    lateMs: percentiles(lateMs),
    cpuSecondsPerRequest: cpuSeconds / (answers.length + errors.length),
    peakKilobytes,
  };
}

function percentiles(values: readonly number[]): { readonly p50: number; readonly p99: number } {
  const ordered = values.toSorted((left, right) => left - right);
  const at = (share: number): number => ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}
