import { appendFileSync, existsSync, readFileSync } from "node:fs";
import type { Family } from "../system/lab/base.ts";
import { titleOf } from "./play.ts";
import type { Result } from "./series.ts";

/** One play, as a line of the file says it. */
export type Played = {
  readonly commit: string;
  readonly seed: number;
  readonly row: number;
  readonly name: string;
  readonly family: Family;
  readonly result: Result["kind"];
  readonly seconds: number;
  /** Why it was lost, or not staged. */
  readonly why?: string;
};

export function playedOf(result: Result, commit: string): Played {
  const { scenario, seed, kind, seconds } = result;
  const { row, name, family } = scenario;
  const line = { commit, seed, row, name, family, result: kind, seconds: Math.round(seconds * 10) / 10 };
  return kind === "survived" ? line : { ...line, why: result.why };
}

/** At once and whole: what was played is kept, whatever becomes of the run. */
export function note(file: string, played: Played): void {
  appendFileSync(file, `${JSON.stringify(played)}\n`);
}

/** Empty where there is no file yet. */
export function readLedger(file: string): readonly Played[] {
  if (!existsSync(file)) return [];
  return parseLedger(readFileSync(file, "utf8"));
}

/** What comes after the last end of a line was cut off while it was written. */
export function parseLedger(text: string): readonly Played[] {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Played);
}

/** What became of one scenario at one commit. */
export type Count = { readonly plays: number; readonly survived: number; readonly lostSeeds: readonly number[] };

export const neverPlayed: Count = { plays: 0, survived: 0, lostSeeds: [] };

/** By title. A play whose moment never came is none. */
export function countPlays(played: readonly Played[], commit: string): ReadonlyMap<string, Count> {
  const counts = new Map<string, Count>();
  for (const one of played) {
    if (one.commit !== commit || one.result === "not staged") continue;
    const { plays, survived, lostSeeds } = counts.get(titleOf(one)) ?? neverPlayed;
    counts.set(titleOf(one), {
      plays: plays + 1,
      survived: survived + (one.result === "survived" ? 1 : 0),
      lostSeeds: one.result === "lost" ? [...lostSeeds, one.seed] : lostSeeds,
    });
  }
  return counts;
}
