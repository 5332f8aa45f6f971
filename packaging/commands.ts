import type { Command, Option } from "commander";
import { isForPeople, wholeTree } from "../src/cli/tree.ts";

/** One command as the manual page and the completions tell it. */
export type DescribedCommand = {
  readonly name: string;
  readonly told: string;
  readonly argument: { readonly name: string; readonly told: string } | undefined;
  readonly options: readonly DescribedOption[];
};

export type DescribedOption = {
  /** Long, with its hyphens. */
  readonly flag: string;
  readonly told: string;
  /** What stands after it, as the help names it; undefined: nothing does. */
  readonly value: string | undefined;
  /** All that may stand there; empty: whatever is meant. */
  readonly choices: readonly string[];
};

/** The program's own command tree, in the order of its help, without what only its units call. */
export function describedCommands(): readonly DescribedCommand[] {
  return wholeTree()
    .commands.filter((command) => isForPeople(command))
    .map((command) => ({
      name: command.name(),
      told: command.description(),
      argument: argumentOf(command),
      options: command.options.map(describedOption),
    }));
}

function argumentOf(command: Command): DescribedCommand["argument"] {
  const [argument] = command.registeredArguments;
  return argument && { name: argument.name(), told: argument.description };
}

function describedOption({ long, flags, description, argChoices }: Option): DescribedOption {
  if (long == null) throw new Error(`${flags} has no long name`);
  return { flag: long, told: description, value: /<(.+)>/.exec(flags)?.[1], choices: argChoices ?? [] };
}
