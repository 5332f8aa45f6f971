import { closeSync, constants, fchmodSync, fstatSync, openSync } from "node:fs";
import { basename } from "node:path";
import { firstBeside } from "../../machine/files/names-in.ts";
import { reachIn } from "../../machine/files/foreign-file.ts";
import type { NamedAccount } from "./accounts.ts";
import { changing, orNothing } from "./file-change.ts";
import { ensureDirectory, giveTo, insideTaken } from "./directory.ts";
import type { Done } from "./done.ts";
import type { SchedulePlaces } from "./places.ts";
import { flawOf, isGiven, notAlone, notGiven, type ScheduleFound } from "./schedule-found.ts";

export type Giving = {
  readonly found: ScheduleFound;
  readonly user: NamedAccount;
  /** Who owns the directory during the work. */
  readonly ownerUid: number;
  /** The users who may own the file before. */
  readonly owners: readonly number[];
};

/** Makes what is missing, then gives the file and the directory to the agent's user. Keeps the content of an existing schedule. */
export function giveSchedule(places: SchedulePlaces, { found, user, ownerUid, owners }: Giving): Done {
  const { root, directory, schedule } = places;
  const done = { what: "schedule", on: schedule } as const;
  if (isGiven(found, user.uid)) return { ...done, change: "none", told: `already enrolled: ${schedule} belongs to ${user.name}` };
  ensureDirectory(directory, root);
  insideTaken(places, { meanwhile: ownerUid, afterwards: user.uid }, (at) => {
    const isAgents = found.directory.kind === "present" && found.directory.uid === user.uid;
    const other = isAgents ? undefined : firstBeside(basename(schedule), `${at}/.`);
    if (other !== undefined) throw notAlone(directory, other);
    const file = changing(schedule, () => openOrMake(schedule, at));
    try {
      const why = flawOf(fstatSync(file), { kind: "file", owners });
      if (why !== undefined) throw notGiven(schedule, why);
      changing(schedule, () => giveTo(file, user.uid));
    } finally {
      closeSync(file);
    }
  });
  if (found.schedule.kind === "absent") return { ...done, change: "made", told: `made ${schedule}, for ${user.name} to write` };
  return { ...done, change: "given", told: `gave ${schedule} to ${user.name}` };
}

/** Opening with these flags never waits for the other end of a pipe. */
export const asItLies: number = constants.O_RDONLY | constants.O_NONBLOCK;
const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Opens the file or makes an empty one. The agent writes its content. */
function openOrMake(path: string, at: string): number {
  const name = basename(path);
  const open = reachIn(at, name, (place) => ({ kind: "reached", value: openSync(place, asItLies) }) as const);
  const there = orNothing(path, open);
  if (there !== undefined) return there;
  const file = openSync(`${at}/${name}`, newFile, 0o644);
  // Sets the mode again, because the umask may have removed bits.
  fchmodSync(file, 0o644);
  return file;
}
