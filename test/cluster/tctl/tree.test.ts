import type { Command } from "commander";
import { expect, test } from "vitest";
import { wholeTree } from "../../../src/cluster/tctl/tree.ts";

function leaves(command: Command, words: string): readonly (readonly [string, Command])[] {
  if (command.commands.length === 0) return [[words, command]];
  return command.commands.flatMap((below) => leaves(below, `${words} ${below.name()}`));
}

test.each(leaves(wholeTree(), "tctl"))("%s says what it does, and that in its help", (words, command) => {
  expect(command.description()).not.toBe("");
  expect(command.helpInformation()).toContain(`Usage: ${words}`);
});
