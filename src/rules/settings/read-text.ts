import { accepted, describe, refused, refusedAs, type SettingReading } from "../shape/reading.ts";
import { allowing, listOf, parsed, refined, type Shape } from "../shape/shape.ts";
import type { PackageName, UnitName } from "./settings.ts";

/** More words than any version command or health check has. */
const mostWords = 32;
/** The longest possible path (PATH_MAX). */
const longestLine = 4095;

/** Reads a package's name. Allows the characters of deb and rpm, but no name that looks like an option. */
export function parsePackageName(text: string): PackageName | undefined {
  return /^[A-Za-z0-9][A-Za-z0-9+._-]{0,127}$/.test(text) ? (text as PackageName) : undefined;
}

/** Reads the name of a service that can be started. Refuses a template without an instance (`svc@.service`). */
export function readUnitName(raw: unknown): SettingReading<UnitName> {
  if (typeof raw !== "string") return refused(raw);
  if (/^[A-Za-z0-9_][A-Za-z0-9:_.\\-]{0,200}(?:@[A-Za-z0-9:_.\\-]{1,40})?\.service$/.test(raw)) return accepted(raw as UnitName);
  if (!/^[A-Za-z0-9_][A-Za-z0-9_-]{0,200}$/.test(raw)) return refused(raw);
  return refusedAs([{ at: "", found: describe(raw), allowed: `the whole name of a service, perhaps ${raw}.service` }]);
}

/** One printable line. */
export const line: Shape<string> = parsed(parseLine, "one line of text");

export function parseLine(text: string): string | undefined {
  if (text.trim() === "" || text.length > longestLine) return undefined;
  // oxlint-disable-next-line no-control-regex -- what the settings hold goes to logs and to programs
  return /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text) ? undefined : text;
}

/** Reads an absolute path, because a pass has no directory of its own. */
export function parsePath(text: string): string | undefined {
  return /^\/.*[^/]$/.test(text) ? parseLine(text) : undefined;
}

export function path(allowed: string): Shape<string> {
  return parsed(parsePath, allowed);
}

/**
 * Reads the path of the metrics' file. The collector ignores files with other names. A file with another name could also be one of ours, and /tmp is
 * private to the unit.
 */
export function parseMetricsFile(text: string): string | undefined {
  return /^(?!\/+(?:var\/+)?tmp\/).*\.prom$/.test(text) ? parsePath(text) : undefined;
}

/** A program with its arguments, never a line for a shell. The program is an absolute path, or a name to look up. Empty means no program. */
export const command: Shape<readonly string[]> = refined(
  allowing("a list of a program and its arguments, for example [svc, version], or []", listOf(line, mostWords)),
  (words) => {
    const [program] = words;
    if (program === undefined || /^(?:\/.*[^/]|[A-Za-z0-9_][^/]*)$/.test(program)) return accepted(words);
    return refusedAs([{ at: "[0]", found: describe(program), allowed: "a program, by its absolute path or by its bare name" }]);
  },
);
