import { readFileSync } from "node:fs";
import type { DescribedCommand } from "../commands.ts";
import { commandParagraphs, sharedOptionParagraphs, type More } from "./commands.ts";
import { exampleParagraphs, type Example } from "./examples.ts";
import { text } from "./roff.ts";

/** A manual page. Its text is in a file, and its lists come from the code's own tables. */
export type Page = {
  /** 1 for everyone's commands, 8 for administrators'. */
  readonly section: 1 | 8;
  readonly prose: string;
  /** Additional text about commands and options. */
  readonly more: More;
  readonly examples: readonly Example[];
  /** The lists of this page alone, by their names in the text. */
  readonly lists: () => Readonly<Record<string, string>>;
};

type Told = { readonly program: string; readonly commands: readonly DescribedCommand[]; readonly page: Page };

export type PageFacts = { readonly version: string; readonly unixSeconds: number };

export function manualPage({ program, commands, page }: Told, facts: PageFacts): string {
  const lists: Readonly<Record<string, string>> = {
    title: title(program, page, facts),
    commands: commandParagraphs(commands, page.more),
    options: sharedOptionParagraphs(commands, page.more),
    examples: exampleParagraphs(page.examples),
    ...page.lists(),
  };
  return readFileSync(page.prose, "utf8").replace(/^@(\w+)@\n/gm, (_line, name: string) => {
    const list = lists[name];
    if (list === undefined) throw new Error(`${page.prose} asks for ${name}, which there is not`);
    return list;
  });
}

const sections: Readonly<Record<Page["section"], string>> = { 1: "User Commands", 8: "System Administration" };

function title(program: string, { section }: Page, { version, unixSeconds }: PageFacts): string {
  const date = new Date(unixSeconds * 1000).toISOString().slice(0, 10);
  return `.TH ${text(program.toUpperCase())} ${section} "${date}" "${text(`${program} ${version}`)}" "${sections[section]}"\n`;
}
