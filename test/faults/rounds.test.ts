import { expect, test } from "vitest";
import { titleOf } from "./play.ts";
import { seriesOf, type Rounds } from "./rounds.ts";
import type { Scenario } from "./scenario.ts";

const play = (): Promise<void> => Promise.resolve();
const many: readonly Scenario[] = Array.from({ length: 30 }, (_, index) => ({
  row: 1,
  name: `fault ${index}`,
  family: "apt",
  play,
}));

function titles(scenarios: readonly Scenario[], rounds: Partial<Rounds>): readonly (readonly string[])[] {
  const series = seriesOf(scenarios, { times: 1, seed: 7, played: () => 0, ...rounds });
  return series.map((plays) => plays.map(({ scenario }) => titleOf(scenario)));
}

test("every scenario is played as often as it is asked for, and never twice on one host", () => {
  const series = titles(many, { times: 3 });
  for (const scenario of many) expect(series.flat().filter((title) => title === titleOf(scenario))).toHaveLength(3);
  for (const one of series) expect(new Set(one).size).toBe(one.length);
  expect(Math.max(...series.map(({ length }) => length))).toBe(12);
});

test("each play has chance of its own, and the seed of a play plays it again as the first one", () => {
  const seedsOf = (seed: number, times: number): readonly number[] =>
    seriesOf(many.slice(0, 1), { times, seed, played: () => 0 }).map(([first]) => first!.seed);
  const seeds = seedsOf(7, 5);
  expect(new Set(seeds).size).toBe(5);
  expect(seeds[0]).toBe(7);
  expect(seedsOf(seeds[3]!, 1)).toEqual([seeds[3]]);
  expect(seedsOf(7, 5)).toEqual(seeds);
});

test("what was played least is played first, and nothing more often than it is to be", () => {
  const played = (title: string): number => (title.endsWith(" 3 apt") ? 0 : title.endsWith(" 4 apt") ? 2 : 1);
  const series = titles(many.slice(0, 6), { times: 2, played });
  expect(series[0]).toEqual(["1 fault 3 apt"]);
  expect(series[1]?.toSorted()).toEqual(["0", "1", "2", "3", "5"].map((number) => `1 fault ${number} apt`));
  expect(series).toHaveLength(2);
});

test("another seed is another order", () => {
  expect(titles(many, { seed: 7 })).not.toEqual(titles(many, { seed: 8 }));
});

test("hosts are shared by those who want the same one, and not with those who want one of their own", () => {
  const scenarios: readonly Scenario[] = [
    { row: 1, name: "one", family: "apt", play },
    { row: 1, name: "two", family: "apt", play, host: "of its own" },
    { row: 1, name: "three", family: "yum", play },
    { row: 1, name: "four", family: "apt", play, diskMegabytes: 30 },
    { row: 1, name: "five", family: "apt", play, host: "of its own" },
    { row: 1, name: "six", family: "apt", play },
  ];
  expect(
    titles(scenarios, {})
      .map((series) => series.toSorted().join(", "))
      .toSorted(),
  ).toEqual(["1 five apt", "1 four apt", "1 one apt, 1 six apt", "1 three yum", "1 two apt"]);
});
