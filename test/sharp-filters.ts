import { statSync } from "node:fs";

/** vitest runs whatever has a filter anywhere in its path: `test/updater/package` would also run `test/packaging`. A folder is meant as one. */
export function sharpFilters(words: readonly string[]): readonly string[] {
  return words.map((word) => (isFolder(word) && !word.endsWith("/") ? `${word}/` : word));
}

function isFolder(word: string): boolean {
  return statSync(word, { throwIfNoEntry: false })?.isDirectory() === true;
}
