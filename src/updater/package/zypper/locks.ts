import type { PackageName } from "../../../rules/settings/settings.ts";
import { globPattern, literally } from "../configuration/glob.ts";

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
