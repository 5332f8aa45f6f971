import { uniformOf } from "./chance.ts";
import { playHost } from "./host.ts";
import type { Scenario } from "./scenario.ts";
import type { Timer } from "./timer/unit-file.ts";

/** What reaches others in each second of a scenario. */
export type Load = { readonly requests: Float64Array; readonly moves: Float64Array };

export type Fleet = { readonly timer: Timer; readonly hosts: number; readonly seed: number };

/** Draws every host by itself, so that the peaks have the height that chance gives them. */
export function drawLoad(scenario: Scenario, { timer, hosts, seed }: Fleet): Load {
  const seconds = scenario.until - scenario.from;
  const [requests, moves] = [new Float64Array(seconds), new Float64Array(seconds)];
  const uniform = uniformOf(seed);
  const onLook = (at: number, look: { readonly requests: number; readonly outcome: string }): void => {
    const second = Math.floor(at - scenario.from);
    requests[second]! += look.requests;
    if (look.outcome === "moves") moves[second]! += 1;
  };
  for (let host = 0; host < hosts; host += 1) playHost(scenario, timer, { uniform, onLook });
  return { requests, moves };
}
