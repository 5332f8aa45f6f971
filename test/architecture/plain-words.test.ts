import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { project } from "../documents.ts";

/** What a tired reader who is no native speaker has to read twice. */
const unclear: readonly RegExp[] = [/\bwhoever\b/i, /(?<!there )\bis none\b/i, /\bone that is\b/i];
const beginsWithOf = /(?:^|[.:;] )Of (?!course)/;

/** Each sentence that begins with "Of" counts in comments alone: in code it may be the rest of one. */
function faultsIn(path: string): readonly string[] {
  return readFileSync(join(project, path), "utf8")
    .split("\n")
    .flatMap((line, index) => {
      const comment = /^\s*(?:\/\*\*?|\*|\/\/|#) ?(.*)$/.exec(line)?.[1] ?? "";
      const isUnclear = unclear.some((words) => words.test(line)) || beginsWithOf.test(comment);
      return isUnclear ? [`${path}:${index + 1}: ${line.trim()}`] : [];
    });
}

test("the documents are understood at first sight", () => {
  const pages = ["README.md", "SECURITY.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];
  const docs = readdirSync(join(project, "docs"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => join("docs", path));
  const unclearIn = (path: string): readonly string[] =>
    readFileSync(join(project, path), "utf8")
      .split("\n")
      .flatMap((line, index) =>
        /\b[Ww]hoever\b|(?:^|[.!?] )Of (?!course)/.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [],
      );
  expect([...pages, ...docs].flatMap(unclearIn)).toEqual([]);
});

test.each(["src", "packaging", "systemd"])("comments and messages of %s are understood at first sight", (folder) => {
  const paths = readdirSync(join(project, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:ts|sh|service|socket|timer|tpl|yaml)$/.test(path) && !path.includes("/generated/"))
    .map((path) => join(folder, path));
  expect(paths.flatMap(faultsIn)).toEqual([]);
});
