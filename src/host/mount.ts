import { realpathSync } from "node:fs";
import { readFileCapped } from "./read-file.ts";

/** The mount that a path lies on. */
export type Mount = {
  /** MAJOR:MINOR of the file system. What `stat` calls the device may be another one for each subvolume of it. */
  readonly device: string;
  readonly point: string;
  readonly isReadOnly: boolean;
};

const mountTable = "/proc/self/mountinfo";
/** A host with hundreds of containers. */
const capBytes: number = 4 * 1024 * 1024;

/** Undefined where the path does not exist, or the kernel does not tell. */
export function mountOf(path: string): Mount | undefined {
  const reading = readFileCapped(mountTable, { capBytes, links: "refuse" });
  const real = realPath(path);
  if (reading.kind !== "read" || real === undefined) return undefined;
  const above = parseMounts(reading.text).filter(({ point }) => isWithin(real, point));
  // Of two on one point the later one hides the earlier.
  return above.reduce<Mount | undefined>(
    (deepest, mount) => (deepest === undefined || mount.point.length >= deepest.point.length ? mount : deepest),
    undefined,
  );
}

/** `36 35 98:0 /root /point rw,noatime master:1 - ext4 /dev/sda rw`: proc_pid_mountinfo(5). */
export function parseMounts(table: string): readonly Mount[] {
  return table.split("\n").flatMap((line) => {
    const [, , device, , point, options, ...rest] = line.split(" ");
    if (device === undefined || point === undefined || options === undefined) return [];
    const ofFileSystem = rest.at(-1) ?? "";
    const isReadOnly = [options, ofFileSystem].some((list) => list.split(",").includes("ro"));
    return [{ device, point: unescaped(point), isReadOnly }];
  });
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // It is not there, or this user may not see it: either way it lies on nothing that could be told.
    return undefined;
  }
}

function isWithin(path: string, point: string): boolean {
  return point === "/" || path === point || path.startsWith(`${point}/`);
}

/** White space in a name is written as `\040`. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_whole, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
