import { createHash } from "node:crypto";
import { readForeignFile } from "../../machine/files/foreign-file.ts";
import type { FileReading } from "../../machine/files/read-file.ts";
import { parseSchedule, scheduleAt, type Schedule } from "../../rules/window/schedule.ts";
import { clusterIn, noteIn, summedIn, type Summed } from "../../rules/window/schedule-sum.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

export type ScheduleClock = {
  readonly now: () => UnixSeconds;
  readonly wait: (ms: number) => Promise<void>;
};

export const longestScheduleBytes: number = 64 * 1024;
/** For this long, an empty or bad file may be half of a good one: the agent does not write it atomically. */
const unsettledSeconds = 5;
const mostRereads = 3;
const rereadMs = 1000;

/**
 * Reads the schedule. The agent's user may own the file, so this follows no link, does not enter a file system of that user, and waits only while
 * somebody writes.
 */
export async function readSchedule(path: string, clock: ScheduleClock): Promise<Schedule> {
  let found = seeSchedule(path, clock.now());
  for (let rereads = 0; found.isUnsettled && rereads < mostRereads; rereads += 1) {
    // oxlint-disable-next-line no-await-in-loop -- the point is to wait in between
    await clock.wait(rereadMs);
    found = seeSchedule(path, clock.now());
  }
  return found.schedule;
}

export type SeenSchedule = {
  readonly schedule: Schedule;
  /** Undefined if the file is missing or was not read. */
  readonly modifiedAt: UnixSeconds | undefined;
  /** The cluster of the agent that wrote it, if the file says so. */
  readonly cluster: string | undefined;
  /** What the agent that wrote it adds for people. */
  readonly note: string | undefined;
  /** The file may be half of a good one. */
  readonly isUnsettled: boolean;
  /** This user may not read the schedule. */
  readonly isDenied: boolean;
};

/** Looks once, without waiting for a writer: for commands that show the schedule and do not act on it. */
export function seeSchedule(path: string, now: UnixSeconds): SeenSchedule {
  const reading = readForeignFile(path, { capBytes: longestScheduleBytes, links: "refuse" });
  if (reading.kind !== "read" || reading.links !== 1) {
    return {
      schedule: unread(reading),
      modifiedAt: undefined,
      cluster: undefined,
      note: undefined,
      isUnsettled: false,
      isDenied: reading.kind === "denied",
    };
  }
  const { modifiedAt } = reading;
  const summed = summedIn(reading.text);
  const schedule = isWhole(summed)
    ? scheduleAt(parseSchedule(reading.text), now)
    : refused("the file is not used: its sum is not that of its lines");
  const [cluster, note] = summed.kind === "summed" ? [clusterIn(summed.before), noteIn(summed.before)] : [];
  const mayBeHalf = schedule.kind === "empty" || schedule.kind === "invalid";
  return {
    schedule,
    modifiedAt,
    cluster,
    note,
    isUnsettled: mayBeHalf && Math.abs(now - modifiedAt) < unsettledSeconds,
    isDenied: false,
  };
}

/** Whether the text is complete. A file without a sum is another program's, and is believed. */
function isWhole(found: Summed): boolean {
  return found.kind === "plain" || (found.kind === "summed" && sumOf(found.before) === found.sum);
}

/** The sum of the lines before the last one. */
export function sumOf(before: string): string {
  return createHash("sha256").update(before).digest("hex");
}

/** The schedule, if the sum in the file confirms it. */
export function summedScheduleIn(path: string): string | undefined {
  const reading = readForeignFile(path, { capBytes: longestScheduleBytes, links: "refuse" });
  const found = reading.kind === "read" && reading.links === 1 ? summedIn(reading.text) : undefined;
  return found?.kind === "summed" && sumOf(found.before) === found.sum ? found.before : undefined;
}

function unread(reading: FileReading): Schedule {
  switch (reading.kind) {
    case "missing":
      return { kind: "missing" };
    case "denied":
      return refused("the file may not be read by this user");
    case "refused":
      return refused(`the file is not used: ${reading.why}`);
    case "read":
      // Refuses a second name, which may be a file that the writer may not read: a wrong line is shown to everyone.
      return refused(`the file is not used: it has ${reading.links} names`);
  }
}

/** Line 0 means that the whole file is wrong. */
function refused(why: string): Schedule {
  return { kind: "invalid", line: 0, text: "", why };
}
