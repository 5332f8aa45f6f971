import { closeSync, openSync, statSync, unlinkSync } from "node:fs";
import { basename } from "node:path";
import { reachIn } from "../../machine/files/foreign-file.ts";
import { changing, orNothing } from "./file-change.ts";
import { giveTo, insideTaken, removeEmpty } from "./directory.ts";
import type { Done } from "./done.ts";
import type { EnrolmentStanding } from "./enrolment.ts";
import { asItLies } from "./give-schedule.ts";
import type { SchedulePlaces } from "./places.ts";
import { flawOf, statsOf, type ScheduleFound } from "./schedule-found.ts";

/** How the schedule was before, who owned what was missing, and to whom it was given. */
export type Returning = { readonly before: ScheduleFound; readonly ownerUid: number; readonly agentUid: number };

/** Removes what enroll made and nobody has used. Gives everything else back to its owner, with its content. */
export function returnSchedule(places: SchedulePlaces, { before, ownerUid, agentUid }: Returning): Done {
  const { root, directory, schedule } = places;
  const stats = statsOf(directory);
  if (stats === undefined) return done("none", schedule, `${directory} was gone already`);
  const afterwards = ownerOf(before.directory, ownerUid);
  // If somebody has chosen another owner since, it stays.
  const why = flawOf(stats, { kind: "directory", owners: [ownerUid, agentUid, afterwards] });
  if (why !== undefined) return done("kept", schedule, `left ${directory} as it is: ${why}`);
  const returned = insideTaken(places, { meanwhile: ownerUid, afterwards }, (at) =>
    returnFile(schedule, at, { was: before.schedule, ownerUid, agentUid }),
  );
  const isRemoved = before.directory.kind === "absent" && removeEmpty(directory, root) === "removed";
  return isRemoved ? done("removed", schedule, `removed ${directory}`) : returned;
}

type ReturningFile = { readonly was: EnrolmentStanding; readonly ownerUid: number; readonly agentUid: number };

/** `path` is the name for people, `at` the directory to work in. */
function returnFile(path: string, at: string, returning: ReturningFile): Done {
  const returned = changing(path, () =>
    reachIn(at, basename(path), (place) => ({ kind: "reached", value: returnFound(path, { ...returning, at, place }) }) as const),
  );
  return orNothing(path, returned) ?? done("none", path, `${path} was gone already`);
}

type Found = ReturningFile & { readonly at: string; readonly place: string };

function returnFound(path: string, { was, ownerUid, agentUid, at, place }: Found): Done {
  const stats = statSync(place);
  const uid = ownerOf(was, ownerUid);
  const why = flawOf(stats, { kind: "file", owners: [ownerUid, agentUid, uid] });
  if (why !== undefined) return done("kept", path, `left ${path} as it is: ${why}`);
  if (was.kind === "absent" && stats.size === 0) {
    // The kernel refuses this if something is mounted there, and changes nothing.
    unlinkSync(`${at}/${basename(path)}`);
    return done("removed", path, `removed ${path}`);
  }
  const isBack = stats.uid === uid;
  const file = openSync(place, asItLies);
  try {
    giveTo(file, uid);
  } finally {
    closeSync(file);
  }
  const owner = uid === 0 ? "root" : `user ${uid}`;
  return isBack
    ? done("kept", path, `kept ${path}`)
    : done("returned", path, `gave ${path} back to ${owner}, with what is in it`);
}

function ownerOf(was: EnrolmentStanding, otherwise: number): number {
  return was.kind === "present" ? was.uid : otherwise;
}

function done(change: Done["change"], on: string, told: string): Done {
  return { what: "schedule", change, on, told };
}
