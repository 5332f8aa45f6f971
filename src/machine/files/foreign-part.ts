import { lstatSync, type Stats } from "node:fs";
import { Fault } from "../../rules/fault/fault.ts";
import { shellWord } from "../../rules/text/shell-word.ts";
import { isTrustedOwner, otherWriters } from "./trusted.ts";

/** A directory, and why another user can change it. */
export type ForeignPart = { readonly path: string; readonly why: string };

/** Directories below a root where svc-upgrade and the package managers write, following links. */
const writtenTo: readonly string[] = [
  "etc/apt",
  "etc/systemd/system",
  "etc/yum.repos.d",
  "etc/zypp",
  "usr/bin",
  "usr/lib/systemd/system",
  "usr/lib/sysimage/rpm",
  "usr/share/doc",
  "var/cache/apt/archives",
  "var/cache/dnf",
  "var/cache/zypp",
  "var/lib/apt/lists",
  "var/lib/dnf",
  "var/lib/dpkg/info",
  "var/lib/dpkg/updates",
  "var/lib/rpm",
  "var/lib/svc-upgrade/packages",
  "var/lib/zypp",
  "var/log/apt",
  "var/log/zypp",
];

/**
 * Refuses a tree that another user can change: package managers follow links in it, and some may lead to this machine. Then no package manager that
 * writes is called.
 */
export function refuseForeign(root: string): void {
  const found = foreignPart(root);
  if (found === undefined) return;
  const path = shellWord(found.path);
  throw new Fault("path-untrusted", {
    message: `nothing is done below ${root} that writes: ${found.path} ${found.why}, and by links there another user could have files of this machine overwritten`,
    hint: `look what is in it, then: \`sudo chown root:root ${path} && sudo chmod go-w ${path}\`; or have its owner run this, with \`unshare -r\` in front`,
  });
}

/** The first directory on the way to a root, or in it, where another user could redirect what we write. */
export function foreignPart(root: string): ForeignPart | undefined {
  const above = stepsTo(root).slice(0, -1);
  return (
    firstOf(above.map((path) => foreignAbove(path, lstatSync(path)))) ?? firstOf(writtenTo.map((path) => foreignIn(root, path)))
  );
}

/** A root in a sticky directory such as /tmp cannot be moved by others. */
function foreignAbove(path: string, stats: Stats): ForeignPart | undefined {
  const writers = (stats.mode & 0o1000) === 0 ? otherWriters(stats) : "nobody";
  return foreignBy(path, stats, writers);
}

/** Does not follow links: a user who could have made one was found before. */
function foreignIn(root: string, path: string): ForeignPart | undefined {
  for (const step of stepsTo(`/${path}`)) {
    const at = step === "/" ? root : `${root}${step}`;
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (stats === undefined || !stats.isDirectory()) return undefined;
    const writers = otherWriters(stats);
    // On Ubuntu the group of /var/log may write there.
    const found = foreignBy(at, stats, writers === "its group" && step === "/var/log" ? "nobody" : writers);
    if (found !== undefined) return found;
  }
  return undefined;
}

function foreignBy(path: string, stats: Stats, writers: ReturnType<typeof otherWriters>): ForeignPart | undefined {
  if (!isTrustedOwner(stats.uid)) return { path, why: `belongs to user ${stats.uid}` };
  if (writers === "nobody") return undefined;
  const by = writers === "everybody" ? "everybody" : `its group, ${stats.gid}`;
  return { path, why: `may be written by ${by} (mode ${(stats.mode & 0o7777).toString(8)})` };
}

function firstOf(found: readonly (ForeignPart | undefined)[]): ForeignPart | undefined {
  return found.find((part) => part !== undefined);
}

/** `/var/lib` gives `/`, `/var` and `/var/lib`. */
function stepsTo(path: string): readonly string[] {
  const names = path.split("/").filter((name) => name !== "");
  return ["/", ...names.map((_, index) => `/${names.slice(0, index + 1).join("/")}`)];
}
