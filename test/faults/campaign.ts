import { sweepAbandonedHosts } from "../system/lab/host.ts";
import type { Family } from "../system/lab/base.ts";
import type { Scenario } from "./scenario.ts";
import { playSeries, type Result } from "./series.ts";

export type Campaign = {
  readonly scenarios: readonly Scenario[];
  readonly seed: number;
  /** Hosts at a time. */
  readonly parallel: number;
  readonly tell: (result: Result) => void;
};

export type Selection = { readonly only: RegExp; readonly families: readonly Family[] };

/** A host grows old with the versions that it has seen. */
const longestSeries = 12;

export function select(scenarios: readonly Scenario[], { only, families }: Selection): readonly Scenario[] {
  return scenarios.filter(({ row, name, family }) => families.includes(family) && only.test(`${row} ${name} ${family}`));
}

/** Plays all of them, some hosts at a time, and gives what became of each. */
export async function runCampaign({ scenarios, seed, parallel, tell }: Campaign): Promise<readonly Result[]> {
  await sweepAbandonedHosts();
  const results: Result[] = [];
  const note = (result: Result): void => {
    results.push(result);
    tell(result);
  };
  const waiting = [...seriesOf(scenarios)];
  async function playOn(): Promise<void> {
    for (let series = waiting.shift(); series !== undefined; series = waiting.shift()) {
      await playSeries(series, { seed, tell: note });
    }
  }
  await Promise.all(Array.from({ length: parallel }, playOn));
  return results;
}

/** Those that want the same host, in pieces. */
function seriesOf(scenarios: readonly Scenario[]): readonly (readonly Scenario[])[] {
  const sameHost = Map.groupBy(scenarios, ({ family, diskMegabytes }) => `${family} ${diskMegabytes}`);
  return [...sameHost.values()].flatMap(inPieces);
}

function inPieces(scenarios: readonly Scenario[]): readonly (readonly Scenario[])[] {
  const count = Math.ceil(scenarios.length / longestSeries);
  return Array.from({ length: count }, (_, index) => scenarios.slice(index * longestSeries, (index + 1) * longestSeries));
}
