import { resolve } from "node:path";
import { faultsOf } from "../../../src/rules/fault/program-faults.ts";
import { exitParagraphs } from "../exits.ts";
import type { Page } from "../page.ts";
import { examples } from "./examples.ts";
import { more } from "./more.ts";

export const tctlPage: Page = {
  section: 8,
  prose: resolve(import.meta.dirname, "page.roff"),
  more,
  examples,
  lists: () => ({ exits: exitParagraphs(faultsOf.tctl) }),
};
