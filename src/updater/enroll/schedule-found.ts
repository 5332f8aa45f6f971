import { statSync, type Stats } from "node:fs";
import { basename } from "node:path";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { firstBeside } from "../../machine/files/names-in.ts";
import { reach } from "../../machine/files/foreign-file.ts";
import { shellWord } from "../../rules/text/shell-word.ts";
import { changing, orNothing } from "./file-change.ts";
import type { EnrolmentStanding } from "./enrolment.ts";
import type { SchedulePlaces } from "./places.ts";

/** The schedule and its directory as they are, or as they were before they were given away. */
export type ScheduleFound = { readonly directory: EnrolmentStanding; readonly schedule: EnrolmentStanding };

/** The users who may own the files before, and the user who gets them. */
export type Looking = { readonly owners: readonly number[]; readonly agentUid: number };

/** Looks without following a link. Refuses a file of any other owner: a person has to look first. */
export function lookAtSchedule({ directory, schedule }: SchedulePlaces, { owners, agentUid }: Looking): ScheduleFound {
  const inside = look(directory, { kind: "directory", owners });
  // In its own directory, the agent's user may already do anything.
  const other = inside.kind === "absent" || inside.uid === agentUid ? undefined : otherIn(directory, schedule);
  if (other !== undefined) throw notAlone(directory, other);
  return { directory: inside, schedule: inside.kind === "absent" ? inside : look(schedule, { kind: "file", owners }) };
}

export function isGiven({ directory, schedule }: ScheduleFound, agentUid: number): boolean {
  return [directory, schedule].every((standing) => standing.kind === "present" && standing.uid === agentUid);
}

/** The path itself, without following a link; undefined if nothing is there. */
export function statsOf(path: string): Stats | undefined {
  const found = changing(path, () => reach(path, "itself", (place) => ({ kind: "reached", value: statSync(place) }) as const));
  return orNothing(path, found);
}

export type Expected = { readonly kind: "directory" | "file"; readonly owners: readonly number[] };

/** What is wrong with the path; undefined if nothing is. */
export function flawOf(stats: Stats, { kind, owners }: Expected): string | undefined {
  if (stats.isSymbolicLink()) return "it is a symbolic link";
  if (kind === "directory" && !stats.isDirectory()) return "it is not a directory";
  if (kind === "file" && !stats.isFile()) return "it is not a regular file";
  // Refuses a second name, which may be a file that must not be given away.
  if (kind === "file" && stats.nlink !== 1) return `it has ${stats.nlink} names`;
  return owners.includes(stats.uid) ? undefined : `it belongs to user ${stats.uid}`;
}

/** Another file in a directory that is to be given away. */
function otherIn(directory: string, schedule: string): string | undefined {
  const found = changing(directory, () =>
    reach(directory, "refuse", (place) => ({ kind: "reached", value: firstBeside(basename(schedule), place) }) as const),
  );
  return orNothing(directory, found);
}

export function notAlone(directory: string, other: string): Fault {
  return new Fault("file-failed", {
    message: `${directory} is not given to the agent's user: it holds "${quote(other)}" as well, which that user could then replace`,
    hint: `name a schedule file in a directory of its own (agent.schedule_file), or move away what else is there: ls -lA ${shellWord(directory)}`,
  });
}

export function notGiven(path: string, why: string): Fault {
  // Another owner helps only where the owner is wrong: a link is always refused.
  const orTake = why.startsWith("it belongs to") ? `, or, if it is the agent's, \`sudo chown -h root ${path}\`` : "";
  return new Fault("file-failed", {
    message: `${path} is not given to the agent's user: ${why}`,
    hint: `look at it: \`ls -ld ${path}\`; move it away${orTake}; then enroll again`,
  });
}

function look(path: string, expected: Expected): EnrolmentStanding {
  const stats = statsOf(path);
  if (stats === undefined) return { kind: "absent" };
  const why = flawOf(stats, expected);
  if (why !== undefined) throw notGiven(path, why);
  return { kind: "present", uid: stats.uid };
}
