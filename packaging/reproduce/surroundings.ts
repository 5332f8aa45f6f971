import { mkdtempSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where, when and as whom a build is made, as far as it must not matter. */
export type Surroundings = {
  readonly folder: string;
  readonly umask: string;
  readonly variables: Readonly<Record<string, string>>;
  /** In unix seconds, of every file of the project. */
  readonly filesFrom: number;
};

/** Two copies of the project with its modules, what is built from them, and what tools leave beside it. */
const roomBytes = 3e9;

/** The second build comes later than the first by itself. */
export function surroundings(): readonly [Surroundings, Surroundings] {
  const one = mkdtempSync(join(tmpdir(), "build-"));
  // Another file system lists what is in a folder in another order, and has other sizes for folders.
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
      // Where i is no capital I, and the clock is three quarters of an hour off.
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
    // No such folder here.
    return false;
  }
}
