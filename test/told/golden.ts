import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";

/** UPDATE_GOLDEN=1 writes what was said; read the difference before it is committed. */
export function expectGolden(name: string, said: string): void {
  const path = join(import.meta.dirname, "golden", `${name}.txt`);
  if (process.env["UPDATE_GOLDEN"] !== undefined) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, said);
  }
  // A minute more or less may break a line elsewhere; how lines are broken is tested where they are.
  expect(sameWords(said)).toEqual(sameWords(readFileSync(path, "utf8")));
}

/** That now is now goes without saying: a pass and the look at it may fall into one second, or into two. */
function sameWords(text: string): readonly string[] {
  return text.replaceAll(/\s+\(just\s+now\)/g, "").split(/\s+/);
}

/** What differs from run to run, by what it is. */
export function timeless(text: string, names: Readonly<Record<string, string>>): string {
  let said = text;
  for (const [found, name] of Object.entries(names)) said = said.replaceAll(found, name);
  return (
    said
      // A server that was started for this one case.
      .replace(/127\.0\.0\.1:\d+/g, "10.0.0.8:443")
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "TIME")
      .replace(/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{4}-\d\d-\d\d(\s+)\d\d:\d\d/g, "Day YYYY-MM-DD$1hh:mm")
      .replace(/–(?:\w{3}\s+(?:\d{4}-\d\d-\d\d\s+)?)?\d\d:\d\d/g, "–hh:mm")
      .replace(/seconds=\d+/g, "seconds=N")
      .replace(/wait="\d+ ms"/g, 'wait="N ms"')
      // Within the very second it goes without saying.
      .replace(/\bUTC\s+\(just\s+now\)/g, "UTC")
      .replace(/\b(in|another)(\s+)\d+(\s+)(?:second|minute)s?\b/g, "$1$2N$3minutes")
      .replace(/, \d+ s$/gm, ", N s")
      .replace(/process(\s+)\d+/g, "process$1N")
      .replace(/unreadable-\d+/g, "unreadable-N")
  );
}
