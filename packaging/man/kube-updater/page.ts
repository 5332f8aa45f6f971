import { resolve } from "node:path";
import { everyFault } from "../../../src/kube/reconcile/faults.ts";
import { exitParagraphs } from "../cluster-exits.ts";
import type { Page } from "../page.ts";
import { examples } from "./examples.ts";
import { more } from "./more.ts";

export const kubeUpdaterPage: Page = {
  section: 8,
  prose: resolve(import.meta.dirname, "page.roff"),
  more,
  examples,
  lists: () => ({ exits: exitParagraphs(everyFault) }),
};
