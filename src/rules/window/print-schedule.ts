import { quote } from "../text/quote.ts";
import { printInstant } from "./instant.ts";
import { announcement, noteBegins } from "./schedule-sum.ts";
import type { UnixSeconds, Window } from "./window.ts";

/** The maintenance windows that the cluster announces to its hosts' updaters. */
export type ClusterSchedule = {
  readonly cluster: string;
  /** Whether the cluster has a window at all. */
  readonly hasWindow: boolean;
  readonly openings: readonly Window[];
  /** A further sentence for the host's administrators. */
  readonly note?: string | undefined;
};

/** The schedule file without its checksum: author, time and cluster, then a line for each opening. */
export function printSchedule(schedule: ClusterSchedule, writtenAt: UnixSeconds): string {
  return `# Written by svc at ${printInstant(writtenAt)}; ${announcement}\n${printOpenings(schedule)}`;
}

function printOpenings({ cluster, hasWindow, openings, note }: ClusterSchedule): string {
  const name = inBytes(cluster, longestName);
  const from = hasWindow
    ? `# The maintenance windows of the cluster ${name}`
    : `# No maintenance window is configured in the cluster ${name}`;
  const more = note === undefined ? [] : [`${noteBegins}${inBytes(note, longestNote)}`];
  return [from, ...more, ...openings.map(({ start, stop }) => `${start} ${stop}`)].map((line) => `${line}\n`).join("");
}

const longestName = 100;
const longestNote = 300;

/** Replaces characters of more than one byte, so that the file can be padded by its length in characters. */
function inBytes(text: string, longest: number): string {
  return quote(text, longest).replace(/[^ -~]/g, "?");
}

/** Whether a text says the same as the schedule, apart from its time and padding. */
export function saysTheSame(before: string, schedule: ClusterSchedule): boolean {
  return before.slice(before.indexOf("\n") + 1).replace(filling, "") === printOpenings(schedule);
}

const filling = /(?<=\n)(?:# *)?\n$/;

/** Fills a text up to this length with one line. */
export function fillUp(text: string, length: number): string {
  const missing = length - text.length;
  if (missing <= 0) return text;
  return missing === 1 ? `${text}\n` : `${text}#${" ".repeat(missing - 2)}\n`;
}
