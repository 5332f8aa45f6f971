import { resolve } from "node:path";
import { serverFaults } from "../../../src/proxy/server/faults.ts";
import type { Page } from "../page.ts";
import { bold, sentence, tagged } from "../roff.ts";
import { examples } from "./examples.ts";
import { more } from "./more.ts";

export const serverPage: Page = {
  section: 8,
  prose: resolve(import.meta.dirname, "page.roff"),
  more,
  examples,
  lists: () => ({ exits: exitParagraphs() }),
};

function exitParagraphs(): string {
  const byStatus = Map.groupBy(Object.entries(serverFaults), ([, { exit }]) => exit);
  const failed = [...byStatus].map(([status, those]) => {
    const told = those.map(([code, { meaning }]) => `${sentence(meaning).slice(0, -1)} (${bold(code)}).`);
    return tagged(bold(String(status)), told);
  });
  return [tagged(bold("0"), [sentence("done; a server was stopped")]), ...failed].join("");
}
