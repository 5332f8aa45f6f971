import { resolve } from "node:path";
import { sharedFaults } from "../../../src/cluster/tsh/faults.ts";
import { clusterExitParagraphs } from "../cluster-exits.ts";
import type { Page } from "../page.ts";
import { examples } from "./examples.ts";
import { more } from "./more.ts";

export const tshPage: Page = {
  section: 1,
  prose: resolve(import.meta.dirname, "page.roff"),
  more,
  examples,
  lists: () => ({ exits: clusterExitParagraphs(sharedFaults) }),
};
