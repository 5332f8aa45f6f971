import { resolve } from "node:path";
import { serverFaults } from "../../../src/proxy/server/faults.ts";
import { sharedFaults } from "../../../src/cluster/tctl/faults.ts";
import { clusterExitParagraphs } from "../cluster-exits.ts";
import type { Page } from "../page.ts";
import { examples } from "./examples.ts";
import { more } from "./more.ts";

export const svcPage: Page = {
  section: 8,
  prose: resolve(import.meta.dirname, "page.roff"),
  more,
  examples,
  lists: () => ({ exits: clusterExitParagraphs({ ...serverFaults, bug: sharedFaults["bug"]! }) }),
};
