import { opendirSync, readdirSync, statSync } from "node:fs";

/** What lies in a directory. One that is not there, or may not be listed, holds nothing that could be used. */
export function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** The same of all directories in it, by their paths from there. */
export function namesBelow(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { recursive: true, encoding: "utf8" });
  } catch {
    return [];
  }
}

/** One that has another name; what is no directory has none. They are looked at one after the other: there may be any number. */
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
