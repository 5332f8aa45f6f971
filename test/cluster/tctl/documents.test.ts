import { expect, it, test } from "vitest";
import { answers } from "../../../packaging/schemas/tctl.ts";
import { clusterFaultTable } from "../../../src/rules/fault/cluster-table.ts";
import { faultsOf } from "../../../src/rules/fault/program-faults.ts";
import { readDocuments } from "../../../src/cluster/tctl/read-documents.ts";
import { tctl } from "../../../src/cluster/tctl/tree.ts";
import { optionsOf, type Row } from "../../../src/machine/command-line/row.ts";
import type { TctlContext } from "../../../src/cluster/tctl/context.ts";
import { blockIn, textOf, updateBlock } from "../../documents.ts";

const { rows } = tctl;

const tables: Readonly<Record<string, string>> = {
  "tctl-commands": table(
    ["command", "what it does"],
    rows.map(({ words, told, arguments: given = [], options = [] }) => {
      const flags = options.map(({ flags: flag, needed }) => (needed === true ? flag : `[${flag}]`));
      const typed = ["tctl", ...words, ...given.map(([name]) => name.replace(/[<>]/g, "").toUpperCase()), ...flags];
      return [`\`${typed.join(" ").replace("-f, --force", "-f")}\``, told];
    }),
  ),
  "cluster-faults": table(
    ["status", "fault", "meaning", "healed", "what to do first"],
    Object.entries(clusterFaultTable)
      .toSorted(([, left], [, right]) => left.exit - right.exit)
      .map(([code, { exit, meaning, heals, remedy }]) => [
        String(exit),
        `\`${code}\``,
        meaning,
        heals === "by-itself" ? "by itself" : "by hand",
        remedy,
      ]),
  ),
};

test.each(Object.entries(tables))("the documents have the table of %s that the code has", (name, made) => {
  updateBlock(name, made);
  expect(blockIn(name)).toBe(made);
});

test("every answer in JSON has a schema, but what resources are", () => {
  const described = Object.values(answers).flatMap(({ commands }) => commands);
  const answering = rows.filter(({ formats = [] }) => formats.includes("json")).map(({ words }) => words.join(" "));
  expect(answering.filter((command) => !described.includes(command))).toEqual(["get"]);
});

const page = textOf("docs/cluster-commands.md");

it("shows a file of resources that is taken", async () => {
  const [, shown = ""] = /\n((?: {4}.*\n)*? {4}kind: role\n(?: {4}.*\n)*)/.exec(page) ?? [];
  const reading = await readDocuments(shown.replaceAll(/^ {4}/gm, ""));
  expect(reading.kind === "documents" ? reading.documents.map(({ resource }) => resource.kind) : reading.wrong).toEqual([
    "role",
    "cluster_maintenance_config",
  ]);
});

it("names the statuses of the faults that other programs have too", () => {
  const words = page.replaceAll(/\s+/g, " ");
  const missing = Object.entries(faultsOf.tctl)
    .filter(([code]) => !Object.hasOwn(clusterFaultTable, code))
    .filter(([code, { exit }]) => !words.includes(`${exit} \`${code}\``));
  expect(missing).toEqual([]);
});

it("types commands and options that there are", () => {
  const typed = [...page.matchAll(/(?:^ {4}|`)tctl ([^`|\n]+)/gm)].map(([, line = ""]) => line.split(" "));
  expect(typed.length).toBeGreaterThan(rows.length);
  for (const words of typed) {
    if (words[0]?.startsWith("-") === true || words[0] === "COMMAND") continue;
    const row = named(words);
    expect([words, row?.words]).toEqual([words, expect.anything()]);
    const known =
      row === undefined
        ? ""
        : optionsOf(tctl, row)
            .map(({ flags }) => flags)
            .join(" ");
    const typedFlags = words.flatMap((word) => /^\[?(--?[a-z-]+)/.exec(word)?.[1] ?? []);
    for (const flag of typedFlags) expect(`${known} --help`).toContain(flag);
  }
});

function named([first, second]: readonly string[]): Row<TctlContext> | undefined {
  return rows.find(({ words: [word, below] }) => word === first && (below === undefined || below === second));
}

function table(header: readonly string[], lines: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`;
  return line(header) + line(header.map(() => "---")) + lines.map(line).join("");
}
