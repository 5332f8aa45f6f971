import { resolve } from "node:path";
import { moveReasons, stayReasons } from "../../../src/updater/plan/host-reasons.ts";
import { settingsReference } from "../../../src/rules/settings/reference.ts";
import type { Page } from "../page.ts";
import { bold, sentence, tagged, text } from "../roff.ts";
import { examples } from "./examples.ts";
import { exitParagraphs } from "./exits.ts";
import { more } from "./more.ts";

export const updaterPage: Page = {
  section: 8,
  prose: resolve(import.meta.dirname, "page.roff"),
  more,
  examples,
  lists: () => ({
    settings: settingParagraphs(),
    stays: stayParagraphs(),
    moves: moveParagraphs(),
    exits: exitParagraphs(),
  }),
};

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
