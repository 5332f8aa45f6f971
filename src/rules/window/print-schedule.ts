import { quote } from "../text/quote.ts";
import { printInstant } from "./instant.ts";
import { announcement } from "./schedule-sum.ts";
import type { UnixSeconds, Window } from "./window.ts";

/** The cluster's announcement to its hosts' updaters. */
export type ClusterSchedule = {
  readonly cluster: string;
  /** Whether the cluster has a window at all. */
  readonly hasWindow: boolean;
  readonly openings: readonly Window[];
};

/** The text without its sum: its author, time and cluster, then a line for each opening. */
export function printSchedule(schedule: ClusterSchedule, writtenAt: UnixSeconds): string {
  return `# Written by svc at ${printInstant(writtenAt)}; ${announcement}\n${printOpenings(schedule)}`;
}

function printOpenings({ cluster, hasWindow, openings }: ClusterSchedule): string {
  // One byte per character, so that it can be padded.
  const name = quote(cluster, longestName).replace(/[^ -~]/g, "?");
  const from = hasWindow
    ? `# The maintenance windows of the cluster ${name}`
    : `# No maintenance window is configured in the cluster ${name}`;
  return [from, ...openings.map(({ start, stop }) => `${start} ${stop}`)].map((line) => `${line}\n`).join("");
}

const longestName = 100;

/** Whether a text says the same, regardless of its time and padding. */
export function saysTheSame(before: string, schedule: ClusterSchedule): boolean {
  return before.slice(before.indexOf("\n") + 1).replace(filling, "") === printOpenings(schedule);
}

const filling = /(?<=\n)(?:# *)?\n$/;

/** Pads a text to this length with one line. */
export function fillUp(text: string, length: number): string {
  const missing = length - text.length;
  if (missing <= 0) return text;
  return missing === 1 ? `${text}\n` : `${text}#${" ".repeat(missing - 2)}\n`;
}
