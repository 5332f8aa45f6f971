import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { moveReasons, stayReasons } from "../../src/plan/reasons.ts";
import { settingsReference } from "../../src/settings/reference.ts";
import { describedCommands } from "../commands.ts";
import { commandParagraphs, sharedOptionParagraphs } from "./commands.ts";
import { exampleParagraphs } from "./examples.ts";
import { exitParagraphs } from "./exits.ts";
import { bold, sentence, tagged, text } from "./roff.ts";

export type PageFacts = { readonly version: string; readonly unixSeconds: number };

/** The manual page: its prose lies in page.roff, its lists are the code's own tables. */
export function manualPage(facts: PageFacts): string {
  const commands = describedCommands();
  const lists: Readonly<Record<string, string>> = {
    title: title(facts),
    commands: commandParagraphs(commands),
    options: sharedOptionParagraphs(commands),
    settings: settingParagraphs(),
    stays: stayParagraphs(),
    moves: moveParagraphs(),
    exits: exitParagraphs(),
    examples: exampleParagraphs(),
  };
  const prose = readFileSync(resolve(import.meta.dirname, "page.roff"), "utf8");
  return prose.replace(/^@(\w+)@\n/gm, (_line, name: string) => {
    const list = lists[name];
    if (list === undefined) throw new Error(`page.roff asks for ${name}, which there is not`);
    return list;
  });
}

function title({ version, unixSeconds }: PageFacts): string {
  const date = new Date(unixSeconds * 1000).toISOString().slice(0, 10);
  return `.TH SVC\\-UPGRADE 8 "${date}" "svc\\-upgrade ${text(version)}" "System Administration"\n`;
}

function settingParagraphs(): string {
  return settingsReference()
    .map((row) => {
      const source = row.variable === undefined ? [".br", "Only a file can say it."] : [];
      const rule = [".br", `Allowed: ${text(row.allowed)}.`, ".br", `Default: ${text(row.default)}.`];
      return tagged(bold(row.key), [sentence(row.meaning), ...rule, ...source]);
    })
    .join("");
}

function stayParagraphs(): string {
  return Object.entries(stayReasons)
    .map(([why, { meaning, ends }]) => tagged(bold(why), [sentence(meaning), sentence(`what ends it: ${ends}`)]))
    .join("");
}

function moveParagraphs(): string {
  return Object.entries(moveReasons)
    .map(([why, { meaning }]) => tagged(bold(why), [sentence(meaning)]))
    .join("");
}
