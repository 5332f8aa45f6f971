import { randomOf, type Random } from "../fuzz/random.ts";
import { seedOfPlay, titleOf, type Play } from "./play.ts";
import type { Scenario } from "./scenario.ts";

export type Rounds = {
  /** How often each is to have been played in the end. */
  readonly times: number;
  readonly seed: number;
  /** How often one was played before, by its title. */
  readonly played: (title: string) => number;
};

/** A host grows old with the versions that it has seen. */
const longestSeries = 12;

/**
 * What is played on one host after the other, those first that were played least. No host sees a scenario twice; and each round has an
 * order of its own, so that no scenario always follows the same one.
 */
export function seriesOf(scenarios: readonly Scenario[], rounds: Rounds): readonly (readonly Play[])[] {
  return Array.from({ length: rounds.times }, (_, index) => index + 1).flatMap((number) => {
    const due = scenarios.filter((scenario) => rounds.played(titleOf(scenario)) < number);
    const seed = seedOfPlay(rounds.seed, number);
    return onHosts(shuffled(due, randomOf(seed, number))).map((series) => series.map((scenario) => ({ scenario, seed })));
  });
}

/** Those that want the same host, in pieces. */
function onHosts(scenarios: readonly Scenario[]): readonly (readonly Scenario[])[] {
  const [alone, together] = [scenarios.filter(isAlone), scenarios.filter((scenario) => !isAlone(scenario))];
  const sameHost = Map.groupBy(
    together,
    ({ family, diskMegabytes, fileSystem, set }) => `${family} ${diskMegabytes} ${fileSystem} ${set?.names.join(" ")}`,
  );
  return [...[...sameHost.values()].flatMap(inPieces), ...alone.map((scenario) => [scenario])];
}

function isAlone({ host }: Scenario): boolean {
  return host === "of its own";
}

function inPieces(scenarios: readonly Scenario[]): readonly (readonly Scenario[])[] {
  const count = Math.ceil(scenarios.length / longestSeries);
  return Array.from({ length: count }, (_, index) => scenarios.slice(index * longestSeries, (index + 1) * longestSeries));
}

/** Fisher-Yates. */
function shuffled<Item>(items: readonly Item[], random: Random): readonly Item[] {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = random.below(last + 1);
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}
