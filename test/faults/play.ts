import { randomOf } from "../fuzz/random.ts";
import type { Scenario } from "./scenario.ts";

/** One of the times that a scenario is played, with chance of its own. */
export type Play = { readonly scenario: Scenario; readonly seed: number };

/** How often a scenario is played before its "survived" is believed: some faults strike one time in three. */
export const playsToBelieve = 5;

const seeds: number = 2 ** 31;

/** The seed of a campaign is that of its first plays too: with the seed of a play, that play alone is played again. */
export function seedOfPlay(seed: number, number: number): number {
  return number === 1 ? seed : randomOf(seed, number).below(seeds);
}

export function titleOf({ row, name, family }: Pick<Scenario, "row" | "name" | "family">): string {
  return `${row} ${name} ${family}`;
}
