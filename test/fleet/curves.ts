import { drawLoad, type Fleet } from "./load.ts";
import { mirrorBits, type Download } from "./mirror.ts";
import type { Panel } from "./plot/panel.ts";
import { printTable, rounded, whole } from "./print.ts";
import { scenarios } from "./scenario.ts";
import { summarize } from "./summary.ts";

/** Every scenario twice: as shipped, and with all hosts on the stroke of the clock. */
export function drawCurves(fleet: Fleet, download: Download): readonly Panel[] {
  const together: Fleet = { ...fleet, timer: { ...fleet.timer, randomDelaySeconds: 0 } };
  return scenarios.map((scenario) => ({
    scenario,
    hosts: fleet.hosts,
    shipped: drawLoad(scenario, fleet),
    together: drawLoad(scenario, together),
    download,
  }));
}

export type Peak = { readonly name: string; readonly timer: string; readonly requestsPerSecond: number };

export function peaks(panels: readonly Panel[]): readonly Peak[] {
  return panels.flatMap(({ scenario: { name }, shipped, together }) => [
    { name, timer: "as shipped", requestsPerSecond: summarize(shipped.requests).peak },
    { name, timer: "no random delay", requestsPerSecond: summarize(together.requests).peak },
  ]);
}

export function printCurves(panels: readonly Panel[]): string {
  const head = ["scenario", "timer", "requests/s, mean", "busiest second", "mirror, peak Tbit/s", "fetched, TB"];
  const rows = panels.flatMap(({ scenario, shipped, together, download }) =>
    [
      { timer: "as shipped", load: shipped },
      { timer: "no random delay", load: together },
    ].map(({ timer, load }) => {
      const [requests, bits] = [summarize(load.requests), summarize(mirrorBits(load.moves, download))];
      const terabytes = (summarize(load.moves).total * download.packageBytes * download.packages) / 1e12;
      return [scenario.name, timer, whole(requests.mean), whole(requests.peak), rounded(bits.peak / 1e12), rounded(terabytes)];
    }),
  );
  return printTable([head, ...rows]);
}
