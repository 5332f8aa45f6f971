import { parseChannelName, type ChannelName } from "../channel/path.ts";
import { accepted, describe, readEach, refused, refusedAs, type Read, type SettingReading } from "./reading.ts";
import type { PackageName, UnitName } from "./settings.ts";

/** One of a few words, spelled exactly. */
export function readOneOf<Word extends string>(words: readonly Word[]): Read<Word> {
  return (raw) => {
    const word = words.find((candidate) => candidate === raw);
    return word === undefined ? refused(raw) : accepted(word);
  };
}

export function readFlag(raw: unknown): SettingReading<boolean> {
  return typeof raw === "boolean" ? accepted(raw) : refused(raw);
}

export function readChannel(raw: unknown): SettingReading<ChannelName> {
  const channel = typeof raw === "string" ? parseChannelName(raw) : undefined;
  return channel === undefined ? refused(raw) : accepted(channel);
}

/** What deb and rpm allow in a name, and nothing that a program could take for an option. */
export function readPackageName(raw: unknown): SettingReading<PackageName> {
  return typeof raw === "string" && /^[A-Za-z0-9][A-Za-z0-9+._-]{0,127}$/.test(raw) ? accepted(raw as PackageName) : refused(raw);
}

/** A service that can be started by its name: no template without an instance (`svc@.service`). */
export function readUnitName(raw: unknown): SettingReading<UnitName> {
  if (typeof raw !== "string") return refused(raw);
  if (/^[A-Za-z0-9_][A-Za-z0-9:_.\\-]{0,200}(?:@[A-Za-z0-9:_.\\-]{1,40})?\.service$/.test(raw)) return accepted(raw as UnitName);
  if (!/^[A-Za-z0-9_][A-Za-z0-9_-]{0,200}$/.test(raw)) return refused(raw);
  return refusedAs([{ at: "", found: describe(raw), allowed: `the whole name of a service, perhaps ${raw}.service` }]);
}

/** One printable line. */
export function readLine(raw: unknown): SettingReading<string> {
  if (typeof raw !== "string" || raw.trim() === "" || raw.length > longestLine) return refused(raw);
  // oxlint-disable-next-line no-control-regex -- what the settings hold goes to logs and to programs
  return /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(raw) ? refused(raw) : accepted(raw);
}

/** Absolute: a pass has no directory of its own that a relative path could mean. */
export function readPath(raw: unknown): SettingReading<string> {
  const line = readLine(raw);
  return line.kind === "value" && !/^\/.*[^/]$/.test(line.value) ? refused(raw) : line;
}

/**
 * Under another name the collector does not look at it, and it could be a file of our own. Below /tmp the unit has a directory
 * that only it sees.
 */
export function readMetricsFile(raw: unknown): SettingReading<string> {
  const path = readPath(raw);
  return path.kind === "value" && !/^(?!\/+(?:var\/+)?tmp\/).*\.prom$/.test(path.value) ? refused(raw) : path;
}

/** A program with its arguments, never a shell line; by an absolute path or by a name that is looked up. Empty: none. */
export function readCommand(raw: unknown): SettingReading<readonly string[]> {
  if (!Array.isArray(raw)) return refused(raw);
  if (raw.length > mostWords) return refusedAs([{ at: "", found: `a list of ${raw.length}` }]);
  const words = readEach(raw, readLine);
  const program = words.kind === "value" ? words.value[0] : undefined;
  if (program === undefined || /^(?:\/.*[^/]|[A-Za-z0-9_][^/]*)$/.test(program)) return words;
  return refusedAs([{ at: "[0]", found: describe(program), allowed: "a program, by its absolute path or by its bare name" }]);
}

/** More arguments than any version command or health check has. */
const mostWords = 32;
/** The longest path there can be (PATH_MAX). */
const longestLine = 4095;
