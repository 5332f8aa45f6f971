import { readdirSync } from "node:fs";

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
