import { afterAll, describe, test } from "vitest";
import { familyOf, type Suite } from "../lab/base.ts";
import { inLab } from "../lab/scenario.ts";
import type { Chapter } from "./row.ts";
import { decides } from "./rows/decides.ts";
import { german } from "./rows/german.ts";
import { inTheWay } from "./rows/in-the-way.ts";
import { mistakes } from "./rows/mistakes.ts";
import { moves } from "./rows/moves.ts";
import { offers } from "./rows/offers.ts";
import { proxy } from "./rows/proxy.ts";
import { repositories } from "./rows/repositories.ts";
import { smallDisk } from "./rows/small-disk.ts";
import { sharedMachine } from "./shared-machine.ts";

/** "moves" and "offers" are the halves of a column, for two files beside each other. */
type Part = "whole" | "moves" | "offers" | { readonly leftOut: string };

/** All scenarios on one of the hosts: a column of the table, and every cell of it a test. Left out: for that reason. */
export function column(suite: Suite, part: Part = "whole"): void {
  const cells: string[] = [];
  const leftOut = typeof part === "object" ? part.leftOut : undefined;
  const tell = <Scene>(chapter: Chapter<Scene>): void => tellChapter({ suite, cells, leftOut }, chapter);
  if (part !== "offers") for (const chapter of [decides, mistakes, moves, repositories]) tell(chapter);
  if (part !== "moves") {
    for (const chapter of [offers, german, inTheWay, smallDisk]) tell(chapter);
    tell(proxy);
  }
  // Reporters leave out what passes, or what is quick; a table is read whole.
  const whole = `${suite}:`;
  afterAll(() => console.log([leftOut === undefined ? whole : `*** SKIPPED ***  ${whole} ${leftOut}`, ...cells].join("\n")));
}

type Column = { readonly suite: Suite; readonly cells: string[]; readonly leftOut: string | undefined };

function tellChapter<Scene>({ suite, cells, leftOut }: Column, chapter: Chapter<Scene>): void {
  // Chapters beside each other, the rows of each one after the other.
  describe(`${suite} ${chapter.title}`, { concurrent: chapter.isBesideOthers ?? false }, () => {
    const machine = sharedMachine(suite, chapter);
    afterAll(machine.stop);
    for (const row of chapter.rows) {
      const title = `${suite} ${row.title}`;
      const why = leftOut ?? row.without?.[familyOf(suite)];
      // Of a column that is left out, one line says it all.
      const at = leftOut === undefined ? cells.push(why === undefined ? `  ✗  ${title}` : `  –  ${title}: ${why}`) - 1 : -1;
      const seen = inLab(async () => {
        await machine.play(row);
        cells[at] = `  ✓  ${title}`;
      });
      // oxlint-disable-next-line vitest/expect-expect -- what is expected stands in the row
      test(title, { concurrent: false }, why === undefined ? seen : ({ skip }) => skip(why));
    }
  });
}
