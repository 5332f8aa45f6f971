import type { Peak } from "./curves.ts";
import { printTable, whole } from "./print.ts";
import type { RideResult } from "./rides.ts";

/** Above this a queue grows at every whim of chance, and one instance that fails is felt. */
export const usableShare = 0.7;

export const instancesFormula: string = `requests per second in the busiest second × CPU seconds per request ÷ ${usableShare}, rounded up`;

/** How many instances of one core each it takes. */
export function instancesFor(requestsPerSecond: number, cpuSecondsPerRequest: number): number {
  return Math.max(1, Math.ceil((requestsPerSecond * cpuSecondsPerRequest) / usableShare));
}

export function printInstances(peaks: readonly Peak[], rides: readonly RideResult[]): string {
  const head = ["scenario", "timer", "busiest second", ...rides.map(({ name }) => name)];
  const rows = peaks.map(({ name, timer, requestsPerSecond }) => [
    name,
    timer,
    whole(requestsPerSecond),
    ...rides.map(({ measured }) => whole(instancesFor(requestsPerSecond, measured.cpuSecondsPerRequest))),
  ]);
  return printTable([head, ...rows]);
}
