import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { moveReasons, stayReasons } from "../../src/updater/plan/host-reasons.ts";
import { blockIn, project } from "../documents.ts";

type Row = { readonly row: number; readonly cells: readonly string[]; readonly words: readonly string[] };

/** The rows of a table, with what stands between backquotes in the last cell. */
function rowsOf(block: string): readonly Row[] {
  return block
    .split("\n")
    .filter((line) => /^\| \d/.test(line))
    .map((line) => {
      const cells = line.split("|").map((cell) => cell.trim());
      const words = [...(cells.at(-2) ?? "").matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);
      return { row: Number.parseInt(cells[1] ?? "", 10), cells, words };
    });
}

const reasons = { ...stayReasons, ...moveReasons };
const inCode = Object.entries(reasons)
  .map(([why, { gate }]) => `${gate} ${why}`)
  .toSorted();
const architecture = rowsOf(blockIn("gate-table"));

function named(rows: readonly Row[]): readonly string[] {
  const lines = rows.flatMap(({ row, words }) => words.filter((word) => word in reasons).map((word) => `${row} ${word}`));
  return [...new Set(lines)].toSorted();
}

describe("the table of gates", () => {
  test("has in ARCHITECTURE each reason in the row that gives it", () => {
    expect(named(architecture)).toEqual(inCode);
  });

  test("has them in the README too, but the rollback, which is no gate", () => {
    expect(named(rowsOf(blockIn("gates")))).toEqual(inCode.filter((line) => line !== "0 rollback"));
  });

  test("has the gates in the order in which the code asks them", () => {
    const text = readFileSync(join(project, "src/updater/plan/host-gates.ts"), "utf8");
    const list = /const gates: .* = \[([^\]]+)\];/.exec(text)?.[1] ?? "";
    const asked = [...list.matchAll(/\w+Gate\b/g)].map(([name]) => name);
    const told = architecture.map(({ cells }) => cells[2]?.replaceAll("`", "") ?? "").filter((name) => name.endsWith("Gate"));
    expect([...new Set(told)]).toEqual([...asked, "scheduleGate"]);
  });

  test("names the file of each", () => {
    for (const { cells } of architecture) {
      const [name, file] = [cells[2], cells[3]].map((cell) => cell?.replaceAll("`", "") ?? "");
      expect(readFileSync(join(project, file ?? ""), "utf8"), `${name} in ${file}`).toMatch(
        new RegExp(`(?:function|const) ${name}\\b`),
      );
    }
  });
});
