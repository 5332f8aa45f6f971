import { createHash } from "node:crypto";
import { readForeignFile } from "../../machine/files/foreign-file.ts";
import type { FileReading } from "../../machine/files/read-file.ts";
import { parseSchedule, scheduleAt, type Schedule } from "../../rules/window/schedule.ts";
import { clusterIn, summedIn, type Summed } from "../../rules/window/schedule-sum.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

export type ScheduleClock = {
  readonly now: () => UnixSeconds;
  readonly wait: (ms: number) => Promise<void>;
};

export const longestScheduleBytes: number = 64 * 1024;
/** The agent writes the file not atomically: for this long an empty or bad one may be half of a good one. */
const unsettledSeconds = 5;
const mostRereads = 3;
const rereadMs = 1000;

/** The schedule as it stands now. It may belong to the agent's own user, so no link is followed, no file system of that user's entered, and nothing is waited for but a writer. */
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
  /** Undefined where the file is missing, or is not read. */
  readonly modifiedAt: UnixSeconds | undefined;
  /** Whose agent wrote it, where it says so. */
  readonly cluster: string | undefined;
  /** It may be half of a good one. */
  readonly isUnsettled: boolean;
  /** This user may not read it; another may. */
  readonly isDenied: boolean;
};

/** One look, without waiting for a writer: for whoever tells of the schedule and does not act on it. */
export function seeSchedule(path: string, now: UnixSeconds): SeenSchedule {
  const reading = readForeignFile(path, { capBytes: longestScheduleBytes, links: "refuse" });
  if (reading.kind !== "read" || reading.links !== 1) {
    return {
      schedule: unread(reading),
      modifiedAt: undefined,
      cluster: undefined,
      isUnsettled: false,
      isDenied: reading.kind === "denied",
    };
  }
  const { modifiedAt } = reading;
  const summed = summedIn(reading.text);
  const schedule = isWhole(summed)
    ? scheduleAt(parseSchedule(reading.text), now)
    : refused("the file is not used: its sum is not that of its lines");
  const cluster = summed.kind === "summed" ? clusterIn(summed.before) : undefined;
  const mayBeHalf = schedule.kind === "empty" || schedule.kind === "invalid";
  return {
    schedule,
    modifiedAt,
    cluster,
    isUnsettled: mayBeHalf && Math.abs(now - modifiedAt) < unsettledSeconds,
    isDenied: false,
  };
}

/** One without a sum is another program's, and believed as it stands. */
function isWhole(found: Summed): boolean {
  return found.kind === "plain" || (found.kind === "summed" && sumOf(found.before) === found.sum);
}

/** Of the lines before the last one. */
export function sumOf(before: string): string {
  return createHash("sha256").update(before).digest("hex");
}

/** The lines that the file's own sum vouches for; undefined: nothing of this kind lies there. */
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
      // The other name may be that of a file which its writer may not read, and a wrong line is shown to everyone.
      return refused(`the file is not used: it has ${reading.links} names`);
  }
}

/** Line 0: it is the file that is wrong, not a line in it. */
function refused(why: string): Schedule {
  return { kind: "invalid", line: 0, text: "", why };
}
