import { mkdtempSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The circumstances of a build that must not change its result. */
export type Surroundings = {
  readonly folder: string;
  readonly umask: string;
  readonly variables: Readonly<Record<string, string>>;
  /** The time that every file of the project gets, in unix seconds. */
  readonly filesFrom: number;
};

/** The space for two copies of the project with its modules and builds. */
const roomBytes = 3e9;

/** Two surroundings that differ in everything but time: the second build is later anyway. */
export function surroundings(): readonly [Surroundings, Surroundings] {
  const one = mkdtempSync(join(tmpdir(), "build-"));
  // Uses another file system, if possible: it lists folders in another order and gives them other sizes.
  const other = mkdtempSync(join(hasRoom("/dev/shm") ? "/dev/shm" : tmpdir(), "a-build-with-a-longer-name-"));
  return [
    {
      folder: one,
      umask: "022",
      variables: { LC_ALL: "C", LANG: "C", TZ: "UTC" },
      filesFrom: Date.UTC(2001, 1) / 1000,
    },
    {
      folder: other,
      umask: "077",
      // Uses Turkish, in which the capital of i is not I, and a time zone with an offset of 5:45 hours.
      variables: { LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8", TZ: "Asia/Kathmandu" },
      filesFrom: Date.UTC(2021, 7) / 1000,
    },
  ];
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > roomBytes;
  } catch {
    // The folder does not exist on this machine.
    return false;
  }
}
