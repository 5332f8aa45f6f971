import { quote } from "../text/quote.ts";
import { printInstant } from "./instant.ts";
import { announcement } from "./schedule-sum.ts";
import type { UnixSeconds, Window } from "./window.ts";

/** What a cluster tells the updaters of its hosts. */
export type ClusterSchedule = {
  readonly cluster: string;
  /** Whether the cluster has a window at all. */
  readonly hasWindow: boolean;
  readonly openings: readonly Window[];
};

/** All but the sum: who wrote it, when, from which cluster; then a line for each opening. */
export function printSchedule(schedule: ClusterSchedule, writtenAt: UnixSeconds): string {
  return `# Written by svc at ${printInstant(writtenAt)}; ${announcement}\n${printOpenings(schedule)}`;
}

function printOpenings({ cluster, hasWindow, openings }: ClusterSchedule): string {
  // A byte for each character, so that it can be filled up.
  const name = quote(cluster, longestName).replace(/[^ -~]/g, "?");
  const from = hasWindow
    ? `# The maintenance windows of the cluster ${name}`
    : `# No maintenance window is configured in the cluster ${name}`;
  return [from, ...openings.map(({ start, stop }) => `${start} ${stop}`)].map((line) => `${line}\n`).join("");
}

const longestName = 100;

/** Whether a text says the same, whenever it was written and however it is filled up. */
export function saysTheSame(before: string, schedule: ClusterSchedule): boolean {
  return before.slice(before.indexOf("\n") + 1).replace(filling, "") === printOpenings(schedule);
}

const filling = /(?<=\n)(?:# *)?\n$/;

/** Fills a text up with one line of nothing, so that it is just that long. */
export function fillUp(text: string, length: number): string {
  const missing = length - text.length;
  if (missing <= 0) return text;
  return missing === 1 ? `${text}\n` : `${text}#${" ".repeat(missing - 2)}\n`;
}
