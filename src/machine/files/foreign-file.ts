import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { errnoOf } from "./errno.ts";
import { mountWithId, type Mount } from "./mount.ts";
import { mostLinks, pathOnly, placeOf } from "./descriptor-path.ts";
import { kindOf, notOpened, readFileCapped, type FileReading, type NotRead, type ReadLimits } from "./read-file.ts";
import { shellWord } from "../../rules/text/shell-word.ts";
import { isReplaceable } from "./trusted.ts";

/** A mount that another user serves. A process that looks into its file system waits for that user, even beyond SIGKILL. */
export type Barred = { readonly kind: "barred"; readonly mount: Mount & { readonly servedBy: number } };
export type NotReached = NotRead | Barred;

/**
 * What to do with a link at the end. "itself" looks at it, "refuse" refuses it. "refuse" and "trusted" follow a link only if no other user can have
 * made it: its author must not make this process read a file that is closed to that user.
 */
export type LinkRule = ReadLimits["links"] | "itself" | "trusted";

export type ForeignLimits = Pick<ReadLimits, "capBytes"> & { readonly links: Exclude<LinkRule, "itself"> };

/**
 * Looks at a file, or the path to it, that another user may have made. Opens each part with O_PATH below the one before, which asks no file system.
 * Goes on, and follows links, only on trusted mounts, so that moves and mounts meanwhile cannot change what was judged. `look` gets a path that is
 * valid until it returns.
 */
export function reach<T>(path: string, links: LinkRule, look: (place: string) => T): T | NotReached {
  return lookingAt((opened) => walk(path, links, opened), look);
}

/** Looks at a name in an open directory, as `reach` does. A link is not followed. */
export function reachIn<T>(directory: string, name: string, look: (place: string) => T): T | NotReached {
  return lookingAt((opened) => step(`${directory}/${name}`, opened), look);
}

function lookingAt<T>(go: (opened: number[]) => number | NotReached, look: (place: string) => T): T | NotReached {
  const opened: number[] = [];
  try {
    const end = go(opened);
    return typeof end === "number" ? look(placeOf(end)) : end;
  } finally {
    for (const file of opened) closeSync(file);
  }
}

/** Reads a file that another user may have made, as `readFileCapped` does. Opens only regular files. */
export function readForeignFile(path: string, limits: ForeignLimits): FileReading {
  const reached = reach(path, limits.links, (place) => readPlace(place, limits));
  return reached.kind === "barred" ? refusedFor(reached) : reached;
}

function refusedFor(barred: Barred): FileReading {
  return { kind: "refused", why: `${tellBarred(barred)}; take it away: \`${wayFree(barred)}\`` };
}

function readPlace(place: string, { capBytes }: ForeignLimits): FileReading {
  const stats = statSync(place);
  return stats.isFile()
    ? readFileCapped(place, { capBytes, links: "follow" })
    : { kind: "refused", why: `it is ${kindOf(stats)}` };
}

/** Says which mount is in the way. In a message, this follows the file's name. */
export function tellBarred({ mount: { point, type, servedBy } }: Barred): string {
  return `it lies on ${point}, where user ${servedBy} has mounted a file system of its own (${type}), and only root's are entered`;
}

/** The command that removes the mount. A plain umount would look into it first. */
export function wayFree({ mount }: Barred): string {
  return `sudo umount --force --lazy ${shellWord(mount.point)}`;
}

export function barredFault(path: string, barred: Barred): Fault {
  return new Fault("mount-untrusted", {
    message: `${path} is not looked at: ${tellBarred(barred)}`,
    hint: `take it away: \`${wayFree(barred)}\``,
  });
}

function walk(path: string, links: LinkRule, opened: number[]): number | NotReached {
  try {
    const root = openPart("/", "end");
    opened.push(root);
    const judge = judging(root);
    let way: readonly number[] = [root];
    let parts = partsOf(isAbsolute(path) ? path : `${process.cwd()}/${path}`);
    let followed = 0;
    while (true) {
      const [part, ...rest] = parts;
      const above = way.at(-1) ?? root;
      if (part === undefined) return above;
      parts = rest;
      if (part === "..") {
        way = way.length > 1 ? way.slice(0, -1) : way;
        continue;
      }
      const where = rest.length === 0 ? "end" : "way";
      const name = `${placeOf(above)}/${part}`;
      const file = openPart(name, where);
      opened.push(file);
      const barrier = judge(file);
      if (barrier !== undefined) return barrier;
      if ((where === "end" && links === "itself") || !fstatSync(file).isSymbolicLink()) {
        way = [...way, file];
        continue;
      }
      if (where === "end" && links === "refuse") return { kind: "refused", why: "it is a symbolic link" };
      if ((links === "refuse" || links === "trusted") && isReplaceable(fstatSync(above), fstatSync(file))) {
        return { kind: "refused", why: `"${quote(part)}" is a symbolic link that another user could have put there` };
      }
      followed += 1;
      if (followed > mostLinks) return { kind: "refused", why: `more than ${mostLinks} symbolic links lead to it` };
      const target = readlinkSync(name);
      way = isAbsolute(target) ? [root] : way;
      parts = [...partsOf(target), ...rest];
    }
  } catch (thrown) {
    return notOpened(thrown);
  }
}

function step(path: string, opened: number[]): number | NotReached {
  try {
    const root = openPart("/", "end");
    opened.push(root);
    const file = openPart(path, "end");
    opened.push(file);
    return judging(root)(file) ?? file;
  } catch (thrown) {
    return notOpened(thrown);
  }
}

function partsOf(path: string): readonly string[] {
  return path.split("/").filter((part) => part !== "" && part !== ".");
}

/** Opens a part of the path as a directory, because one that autofs has not mounted yet would look empty otherwise. */
function openPart(name: string, where: "way" | "end"): number {
  const place = pathOnly | constants.O_NOFOLLOW;
  if (where === "end") return openSync(name, place);
  try {
    return openSync(name, place | constants.O_DIRECTORY);
  } catch (thrown) {
    if (errnoOf(thrown) !== "ENOTDIR") throw thrown;
    return openSync(name, place);
  }
}

/**
 * Judges the mount of each part. Trusts that of the root, on which this program itself relies. After a chroot into a plain directory, the kernel's
 * table does not list it.
 */
function judging(root: number): (file: number) => NotReached | undefined {
  const trusted = new Set([mountIdOf(root)]);
  return (file) => {
    const id = mountIdOf(file);
    if (id !== undefined && trusted.has(id)) return undefined;
    const mount = id === undefined ? undefined : mountWithId(id);
    if (mount === undefined) return { kind: "refused", why: "it lies on a mount that /proc/self/mountinfo does not name" };
    if (isAnothers(mount)) return { kind: "barred", mount };
    trusted.add(mount.id);
    return undefined;
  };
}

/** Whether another user serves the mount. A user who serves one to themselves delays nobody else. */
function isAnothers(mount: Mount): mount is Barred["mount"] {
  return mount.servedBy !== undefined && mount.servedBy !== 0 && mount.servedBy !== process.geteuid?.();
}

/** Reads the kernel's own file directly, because every part of every path needs this. */
function mountIdOf(file: number): number | undefined {
  const id = /^mnt_id:\t(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${file}`, "utf8"))?.[1];
  return id === undefined ? undefined : Number(id);
}
