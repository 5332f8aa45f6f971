import { expect, test } from "vitest";
import { isForPeople, wholeTree } from "../../../src/cluster/svc/tree.ts";
import { wholeTree as treeOfTsh } from "../../../src/cluster/tsh/tree.ts";

test.each([...wholeTree().commands, ...treeOfTsh().commands].filter((command) => command.name() !== "ssh"))(
  "$_name says what it does, by an example at least",
  (command) => {
    expect(command.description()).not.toBe("");
    let shown = "";
    command.configureOutput({ writeOut: (text) => (shown += text) }).outputHelp();
    expect(shown).toContain("\nExamples:\n");
  },
);

test("what only the unit calls is not shown", () => {
  expect(wholeTree().helpInformation()).not.toContain("reload");
  expect(["start", "check", "join", "version", "reload", "nothing"].filter(isForPeople)).toEqual([
    "start",
    "check",
    "join",
    "version",
  ]);
});
