import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const project: string = join(import.meta.dirname, "..");

/** What people read, by its path in the project. */
export const documents: readonly string[] = globSync(["*.md", "docs/**/*.md"], { cwd: project }).toSorted();

export function textOf(document: string): string {
  return readFileSync(join(project, document), "utf8");
}

/** What stands between two comments, which one document has: it may move to another one without a word to any test. */
type Block = { readonly document: string; readonly text: string; readonly from: number; readonly to: number };

function blockOf(name: string): Block {
  const found = documents.flatMap((document) => {
    const text = textOf(document);
    const match = new RegExp(`<!-- ${name}: [^>]*-->\\n([\\s\\S]*?)<!-- /${name} -->`, "d").exec(text);
    const [from, to] = match?.indices?.[1] ?? [];
    return from === undefined || to === undefined ? [] : [{ document, text, from, to }];
  });
  if (found.length !== 1)
    throw new Error(`${name} stands in ${found.map(({ document }) => document).join(" and ") || "no document"}`);
  return found[0]!;
}

export function blockIn(name: string): string {
  const { text, from, to } = blockOf(name);
  return text.slice(from, to);
}

/** Without its indentation: what readers copy is what is tried. */
export function excerpt(name: string): string {
  return blockIn(name).replace(/^ {4}/gm, "").trim();
}

/** Where UPDATE_DOCS is set, the block is written as it should be; whoever calls compares afterwards. */
export function updateBlock(name: string, wanted: string): void {
  if (process.env["UPDATE_DOCS"] === undefined) return;
  const { document, text, from, to } = blockOf(name);
  writeFileSync(join(project, document), text.slice(0, from) + wanted + text.slice(to));
}
