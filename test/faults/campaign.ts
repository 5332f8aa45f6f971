import type { Family } from "../system/lab/base.ts";
import { sweepAbandonedHosts } from "../system/lab/host.ts";
import { titleOf, type Play } from "./play.ts";
import type { Scenario } from "./scenario.ts";
import { playSeries, type Result } from "./series.ts";

export type Campaign = {
  /** Each of them on a host of its own. */
  readonly series: readonly (readonly Play[])[];
  /** Hosts at a time. */
  readonly parallel: number;
  readonly tell: (result: Result) => void;
  /** No play begins after that, by `performance.now()`; what is being played is played to its end. */
  readonly endsAtMs?: number;
  /** Gives up what is being played. */
  readonly stop?: AbortSignal;
};

export type Selection = { readonly only: RegExp; readonly families: readonly Family[] };

export function select(scenarios: readonly Scenario[], { only, families }: Selection): readonly Scenario[] {
  return scenarios.filter((scenario) => families.includes(scenario.family) && only.test(titleOf(scenario)));
}

const never: AbortSignal = new AbortController().signal;

/** Plays all of them, some hosts at a time, and gives what became of each. All hosts have ended when this returns. */
export async function runCampaign(campaign: Campaign): Promise<readonly Result[]> {
  const { series, parallel, tell, endsAtMs = Infinity, stop = never } = campaign;
  await sweepAbandonedHosts();
  const results: Result[] = [];
  const told = (result: Result): void => {
    results.push(result);
    tell(result);
  };
  const mayBegin = (): boolean => !stop.aborted && performance.now() < endsAtMs;
  const waiting = [...series];
  async function playOn(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined && mayBegin(); next = waiting.shift()) {
      await playSeries(next, { tell: told, mayBegin, stop });
    }
  }
  await Promise.all(Array.from({ length: parallel }, playOn));
  return results;
}
