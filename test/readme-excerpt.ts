import { readFileSync } from "node:fs";
import { join } from "node:path";

const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");

/** What stands between two comments of the README, without its indentation: so that what readers copy is what is tried. */
export function readmeExcerpt(name: string): string {
  const found = new RegExp(`<!-- ${name}: [^>]*-->\\n([\\s\\S]*?)<!-- /${name} -->`).exec(readme)?.[1];
  if (found === undefined) throw new Error(`the README has no ${name}`);
  return found.replace(/^ {4}/gm, "").trim();
}
