import { opendirSync, readdirSync, statSync } from "node:fs";

/** The names in a directory; empty if it is missing or may not be listed. */
export function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** All names below it, as paths relative to it. */
export function namesBelow(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { recursive: true, encoding: "utf8" });
  } catch {
    return [];
  }
}

/** An entry with another name; undefined if the directory has none, or is no directory. Reads entries one by one, because there may be any number. */
export function firstBeside(name: string, directory: string): string | undefined {
  if (!statSync(directory).isDirectory()) return undefined;
  const open = opendirSync(directory);
  try {
    for (let entry = open.readSync(); entry !== null; entry = open.readSync()) {
      if (entry.name !== name) return entry.name;
    }
    return undefined;
  } finally {
    open.closeSync();
  }
}
