import { closeSync, constants, fstatSync, fsyncSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { userInfo } from "node:os";
import { Fault } from "../../rules/fault/fault.ts";
import { errnoOf, errnoWords, isDenied } from "../../machine/files/errno.ts";
import { shellWord } from "../../rules/text/shell-word.ts";
import { makeRoom, isFull } from "../../machine/files/unwritable.ts";
import { writeFileAtomically } from "../../machine/files/write-file.ts";
import { longestScheduleBytes, summedScheduleIn, sumOf } from "../../updater/store/schedule-file.ts";
import { fillUp, printSchedule, saysTheSame, type ClusterSchedule } from "../../rules/window/print-schedule.ts";
import { sumLength, withSum } from "../../rules/window/schedule-sum.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

export type SchedulePlace = {
  readonly path: string;
  /** The root in which the path is. */
  readonly root: string;
  readonly now: () => UnixSeconds;
};

/** Writes the whole schedule or nothing. Leaves a file that says the same, however old it is. */
export function writeSchedule(schedule: ClusterSchedule, { path, root, now }: SchedulePlace): "written" | "same" {
  const there = summedScheduleIn(path);
  if (there !== undefined && saysTheSame(there, schedule)) return "same";
  const before = printSchedule(schedule, now());
  try {
    writeFileAtomically(path, withSum(before, sumOf(before)), { root, mode: 0o644, missing: "refuse", fault: "file-failed" });
  } catch (thrown) {
    if (!(thrown instanceof Fault) || !isClosed(thrown.cause)) throw explained(thrown, path);
    writeInPlace(path, before, thrown);
  }
  return "written";
}

/** Whether we may not write into the directory, by its rights or because of the sandbox. The file in it may still be writable. */
function isClosed(thrown: unknown): boolean {
  return isDenied(thrown) || errnoOf(thrown) === "EROFS";
}

const block = 1024;
const ofOurs: number = constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * Overwrites the file in one write that is at least as long as the old text: a reader never finds an empty file, and recognises a mixed one by its
 * sum.
 */
function writeInPlace(path: string, before: string, otherwise: Fault): void {
  let file: number;
  try {
    file = openSync(path, ofOurs);
  } catch (thrown) {
    throw explained(errnoOf(thrown) === "ENOENT" ? otherwise : thrown, path);
  }
  try {
    const { size, nlink } = fstatSync(file);
    if (nlink !== 1 || size > longestScheduleBytes) throw notOurs(path);
    const length = Math.ceil(Math.max(before.length + sumLength, size) / block) * block;
    const filled = fillUp(before, length - sumLength);
    const bytes = Buffer.from(withSum(filled, sumOf(filled)));
    if (writeSync(file, bytes, 0, bytes.length, 0) !== bytes.length) throw cutShort(path);
    fsyncSync(file);
  } catch (thrown) {
    throw explained(thrown, path);
  } finally {
    closeSync(file);
  }
}

function notOurs(path: string): Fault {
  return new Fault("file-failed", {
    message: `${path} is not written to: it has another name as well, or is larger than any schedule`,
    hint: `look at it, \`ls -l ${shellWord(path)}\`, then delete it: it is written again`,
  });
}

function cutShort(path: string): Fault {
  return new Fault("file-failed", { message: `${path} took only a part of the schedule`, hint: makeRoom(dirname(path)) });
}

/** Adds the command to type. */
function explained(thrown: unknown, path: string): Fault {
  const cause = thrown instanceof Fault ? (thrown.cause ?? thrown) : thrown;
  if (thrown instanceof Fault && thrown.cause === undefined) return thrown;
  const message = `the schedule of the updater, ${path}, cannot be written: ${errnoWords(cause)}`;
  if (isFull(cause)) return new Fault("file-failed", { message, hint: makeRoom(dirname(path)), cause });
  return new Fault("file-failed", { message, hint: giveHint(path), cause });
}

/** The command that helps. A path that did not exist when the unit started stays closed to its sandbox. */
function giveHint(path: string): string {
  const directory = shellWord(dirname(path));
  return `give its directory to the user of this service: \`sudo install -d -m 0755 -o ${ownName()} ${directory} && sudo systemctl restart svc\``;
}

function ownName(): string {
  try {
    return shellWord(userInfo().username);
  } catch {
    // Prints the user id if it has no name.
    return String(process.geteuid?.() ?? 0);
  }
}
