import { realpathSync } from "node:fs";
import { readFileCapped } from "./read-file.ts";

/** The mount that a path lies on. */
export type Mount = {
  /** The mount's id in fdinfo. It stays unique while a file of the mount is open. */
  readonly id: number;
  /** MAJOR:MINOR of the file system. `stat` may report another device for each subvolume. */
  readonly device: string;
  readonly point: string;
  readonly type: string;
  readonly isReadOnly: boolean;
  /**
   * The user whose program answers every access. Undefined for the kernel, or a server that root named. Every user may mount FUSE, but only root
   * mounts NFS, CIFS and 9p, and a host may have its /opt there.
   */
  readonly servedBy: number | undefined;
};

const mountTable = "/proc/self/mountinfo";
/** Enough for thousands of containers, or for all mounts that fusermount3 allows a user, each with the longest name. */
const capBytes: number = 64 * 1024 * 1024;

/** Undefined if the path does not exist or the kernel does not say. */
export function mountOf(path: string): Mount | undefined {
  const real = realPath(path);
  if (real === undefined) return undefined;
  const above = readMounts().filter(({ point }) => isWithin(real, point));
  // The later of two mounts on one point hides the earlier.
  return above.reduce<Mount | undefined>(
    (deepest, mount) => (deepest === undefined || mount.point.length >= deepest.point.length ? mount : deepest),
    undefined,
  );
}

/** Undefined if the kernel does not say. */
export function mountWithId(id: number): Mount | undefined {
  return mountIn(readTable(), id);
}

/** Parses only the line that it needs: a host may have thousands of mounts. */
export function mountIn(table: string, id: number): Mount | undefined {
  const start = table.startsWith(`${id} `) ? 0 : table.indexOf(`\n${id} `) + 1;
  const [line = ""] = table.slice(start).split("\n", 1);
  return parseMounts(line).find((mount) => mount.id === id);
}

/** Empty if the kernel does not say. */
function readMounts(): readonly Mount[] {
  return parseMounts(readTable());
}

function readTable(): string {
  const reading = readFileCapped(mountTable, { capBytes, links: "refuse" });
  return reading.kind === "read" ? reading.text : "";
}

/** Parses proc_pid_mountinfo(5): `36 35 98:0 /root /point rw,noatime master:1 - ext4 /dev/sda rw`. Skips other lines. */
export function parseMounts(table: string): readonly Mount[] {
  return table.split("\n").flatMap((line) => {
    // The first lone dash is the kernel's own, because it escapes white space in names. The source may be a dash or empty.
    const border = line.indexOf(" - ");
    const [id, parent, device, root, point, options] = line.slice(0, border).split(" ");
    const [type, source, ofFileSystem, ...more] = line.slice(border + " - ".length).split(" ");
    if (border === -1 || id === undefined || !/^\d+$/.test(id) || parent === undefined || device === undefined) return [];
    if (root === undefined || point === undefined || options === undefined) return [];
    if (type === undefined || source === undefined || ofFileSystem === undefined || more.length > 0) return [];
    const server = serverOf(type, ofFileSystem.split(","));
    if (server === "unclear") return [];
    const isReadOnly = [options, ofFileSystem].some((list) => list.split(",").includes("ro"));
    return [{ id: Number(id), device, point: unescaped(point), type, isReadOnly, servedBy: server }];
  });
}

/** `fuse`, `fuse.sshfs`, `fuseblk`; not `fusectl`, which is the kernel's own. */
function serverOf(type: string, options: readonly string[]): number | "unclear" | undefined {
  if (!/^fuse(?:blk)?(?:\.|$)/.test(type)) return undefined;
  const [user, ...others] = options.flatMap((option) => /^user_id=(\d+)$/.exec(option)?.[1] ?? []);
  return user === undefined || others.length > 0 ? "unclear" : Number(user);
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // The path is missing, or hidden from this user, so its mount is unknown.
    return undefined;
  }
}

function isWithin(path: string, point: string): boolean {
  return point === "/" || path === point || path.startsWith(`${point}/`);
}

/** Undoes the kernel's `\040` for white space. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_whole, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
