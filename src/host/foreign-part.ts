import { lstatSync, type Stats } from "node:fs";
import { Fault } from "../fault/fault.ts";
import { shellWord } from "./shell-word.ts";
import { isReplaceable, isTrustedOwner, otherWriters } from "./trusted.ts";

/** A directory, and how another user comes to have a say in it. */
export type ForeignPart = { readonly path: string; readonly why: string };

/** Where svc-upgrade and the package managers write below a root: they follow the links that lie there. */
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

/** Package managers follow the links of a tree, and some may lead to this machine: below a root in which another user has a say none is called that writes. */
export function refuseForeign(root: string): void {
  const found = foreignPart(root);
  if (found === undefined) return;
  const path = shellWord(found.path);
  throw new Fault("path-untrusted", {
    message: `nothing is done below ${root} that writes: ${found.path} ${found.why}, and by links there another user could have files of this machine overwritten`,
    hint: `look what is in it, then: sudo chown root:root ${path} && sudo chmod go-w ${path}; or have its owner run this, with unshare -r in front`,
  });
}

/** The first directory on the way to a root, or in it, where another user could lead elsewhere what is written there. */
export function foreignPart(root: string): ForeignPart | undefined {
  return foreignAbove(root) ?? writtenTo.map((path) => foreignBelow(root, path)).find((found) => found !== undefined);
}

/** Who can put another root in this one's place. */
function foreignAbove(root: string): ForeignPart | undefined {
  const steps = stepsTo(root);
  for (const [index, path] of steps.slice(0, -1).entries()) {
    const [stats, next] = [lstatSync(path), lstatSync(steps[index + 1] ?? root)];
    if (isReplaceable(stats, next)) return { path, why: whyForeign(stats) };
  }
  return undefined;
}

/** What lies behind a link is not looked at: whoever could have put the link there was found before. */
function foreignBelow(root: string, path: string): ForeignPart | undefined {
  for (const step of stepsTo(`/${path}`)) {
    const at = step === "/" ? root : `${root}${step}`;
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (stats === undefined || !stats.isDirectory()) return undefined;
    const writers = otherWriters(stats);
    // Ubuntu's logs are their group's as well.
    const isWritten = writers === "everybody" || (writers === "its group" && step !== "/var/log");
    if (!isTrustedOwner(stats.uid) || isWritten) return { path: at, why: whyForeign(stats) };
  }
  return undefined;
}

/** `/`, `/var` and `/var/lib` for the last of them. */
function stepsTo(path: string): readonly string[] {
  const names = path.split("/").filter((name) => name !== "");
  return ["/", ...names.map((_, index) => `/${names.slice(0, index + 1).join("/")}`)];
}

function whyForeign(stats: Stats): string {
  if (!isTrustedOwner(stats.uid)) return `belongs to user ${stats.uid}`;
  const writers = otherWriters(stats) === "everybody" ? "by everybody" : `by its group, ${stats.gid}`;
  return `may be written ${writers} (mode ${(stats.mode & 0o7777).toString(8)})`;
}
