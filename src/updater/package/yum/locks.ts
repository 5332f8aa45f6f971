import type { PackageName } from "../../../rules/settings/settings.ts";
import type { PackageVersion } from "../../../rules/version/wrapped.ts";
import type { Planned } from "../manager/manager.ts";
import { exactly } from "./argv.ts";
import { parseSections } from "./repository-files.ts";
import { belowRoot } from "../../../machine/files/paths.ts";
import { globPattern } from "../configuration/glob.ts";
import { readConfiguration } from "../rpm/read-configuration.ts";

const pluginFile = "/etc/dnf/plugins/versionlock.conf";

/** The entries of the plugin `versionlock`; empty if it is missing or off. */
export function readLocks(root: string): readonly string[] {
  const main = parseSections(readConfiguration(belowRoot(root, pluginFile)) ?? "").get("main");
  const path = main?.get("locklist");
  if (path === undefined || /^(?:0|no|false|off)$/i.test(main?.get("enabled") ?? "")) return [];
  return (readConfiguration(belowRoot(root, path)) ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

/**
 * The entries that keep the package at one version, in the form of `dnf versionlock add NAME`: `NAME-0:15.4.5-1.*`. An entry with a
 * wildcard in the version is a limit, not a hold.
 */
export function holdsOf(entries: readonly string[], name: string): readonly string[] {
  return entries.filter((entry) => {
    const version = versionIn(entry, name);
    // A wildcard after the release stands for the architecture.
    return version !== undefined && !/[*?[]/.test(version.replace(/(-.*)\.\*$/, "$1"));
  });
}

/** Whether the locks hold the package at another version than this one. */
export function isKeptFrom(entries: readonly string[], { name, version }: Pick<Planned, "name" | "version">): boolean {
  const holds = holdsOf(entries, name);
  return holds.length > 0 && !holds.includes(lockEntry(name, version));
}

/** Writes an entry as the plugin does. */
export function lockEntry(name: string, version: string): string {
  return `${exactly({ name, to: version })}.*`;
}

/** Whether the list admits the version: nothing excludes it, and it is within any limits. */
export function isAdmitted(entries: readonly string[], name: PackageName, version: PackageVersion): boolean {
  const spellings = spellingsOf(name, version);
  const matches = (pattern: string): boolean => spellings.some((spelling) => isLike(pattern, spelling));
  if (entries.some((entry) => entry.startsWith("!") && matches(entry.slice(1)))) return false;
  const holds = new Set(holdsOf(entries, name));
  const limits = entries.filter((entry) => versionIn(entry, name) !== undefined && !holds.has(entry));
  return limits.length === 0 || limits.some(matches);
}

/** The text after the name, if the entry is for this package. Entries of yum 3 have the epoch before the name. */
function versionIn(entry: string, name: string): string | undefined {
  const bare = entry.replace(/^\d+:/, "");
  const rest = bare.startsWith(`${name}-`) ? bare.slice(name.length + 1) : "";
  return /^(?:\d+:)?[\d*?[]/.test(rest) ? rest : undefined;
}

/** Every form that the plugin accepts as a pattern, for any architecture. */
function spellingsOf(name: PackageName, version: PackageVersion): readonly string[] {
  const [, epoch = "0", upstream = "", release = ""] = /^(?:(\d+):)?([^-]*)-(.*)$/.exec(version) ?? [];
  const forms = [`${upstream}-${release}`, upstream];
  return [name, ...forms.flatMap((form) => [`${name}-${form}`, `${name}-${epoch}:${form}`])].flatMap((form) => [
    form,
    `${form}.*`,
  ]);
}

function isLike(pattern: string, text: string): boolean {
  return new RegExp(`^${globPattern(pattern, "without sets")}$`, "s").test(text);
}
