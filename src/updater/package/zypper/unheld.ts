import type { PackageName } from "../../../rules/settings/settings.ts";
import { readConfiguration } from "../rpm/read-configuration.ts";
import type { CallFiles } from "./call-directory.ts";
import { configurationFile } from "./configuration.ts";
import { belowRoot } from "../../../machine/files/paths.ts";
import { globPattern, literally } from "../configuration/glob.ts";

/** Whether an administrator holds the whole package. Ignores locks that also hold the package `lifted`. */
export function isHeld(root: string, name: PackageName, lifted?: PackageName): boolean {
  const locks = locksOf(root);
  return isHeldBy(lifted === undefined ? locks : withoutHolds(locks, lifted), name);
}

/** Files that show one call the host's locks without those of the package. The host's own file is unchanged, so nothing has to be restored. */
export function unheldFiles(root: string, name: PackageName, directory: string): CallFiles {
  return { locks: withoutHolds(locksOf(root), name), ...configurationFile(`${directory}/locks`) };
}

/** The text of the host's locks. The file does not exist before the first lock. */
function locksOf(root: string): string {
  return readConfiguration(belowRoot(root, "/etc/zypp/locks")) ?? "";
}

/** A lock with only these fields holds the whole package; further fields (a version, a repository) only limit it. */
const plainFields: ReadonlySet<string> = new Set(["type", "match_type", "case_sensitive", "solvable_name", "comment"]);

/** Whether the text of /etc/zypp/locks holds the package. */
export function isHeldBy(locks: string, name: PackageName): boolean {
  return locksIn(locks).some((lock) => holds(lock, name));
}

/** The text without the locks that hold the package; all others stay in force. */
export function withoutHolds(locks: string, name: PackageName): string {
  return locksIn(locks)
    .filter((lock) => !holds(lock, name))
    .map((lock) => `${lock}\n`)
    .join("\n");
}

/** A lock is a paragraph of fields. */
function locksIn(text: string): readonly string[] {
  return text.split(/\n[ \t]*(?:\n|$)/).filter((lock) => lock.trim() !== "");
}

function holds(lock: string, name: PackageName): boolean {
  const fields = lock.split("\n").flatMap((line) => {
    const [, key, value = ""] = /^\s*(\w+):\s*(.*?)\s*$/.exec(line) ?? [];
    return key === undefined ? [] : [[key, value] as const];
  });
  if (!fields.every(([key]) => plainFields.has(key))) return false;
  const valueOf = (key: string): string | undefined => fields.find(([found]) => found === key)?.[1];
  if ((valueOf("type") ?? "package") !== "package") return false;
  const flags = valueOf("case_sensitive") === "off" ? "i" : "";
  const pattern = (value: string): string =>
    valueOf("match_type") === "exact" ? literally(value) : globPattern(value, "without sets");
  return fields.some(([key, value]) => key === "solvable_name" && new RegExp(`^${pattern(value)}$`, flags).test(name));
}
