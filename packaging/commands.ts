import type { Command, Option } from "commander";

/** One command as the manual page and the completions tell it. */
export type DescribedCommand = {
  /** Of one word, or of two. */
  readonly name: string;
  readonly told: string;
  readonly argument: { readonly name: string; readonly told: string; readonly isRequired: boolean } | undefined;
  readonly options: readonly DescribedOption[];
};

export type DescribedOption = {
  /** Long, with its hyphens. */
  readonly flag: string;
  /** The same in one letter, with its hyphen. */
  readonly short: string | undefined;
  readonly told: string;
  /** What stands after it, as the help names it; undefined: nothing does. */
  readonly value: string | undefined;
  /** All that may stand there; empty: whatever is meant. */
  readonly choices: readonly string[];
};

/** A program's own command tree, in the order of its help. */
export function describedCommands(tree: Command): readonly DescribedCommand[] {
  return tree.commands.flatMap((command) => {
    const below = describedCommands(command).map((described) => ({ ...described, name: `${command.name()} ${described.name}` }));
    return below.length > 0 ? below : [describedCommand(command)];
  });
}

function describedCommand(command: Command): DescribedCommand {
  return {
    name: command.name(),
    told: command.description(),
    argument: argumentOf(command),
    options: command.options.map(describedOption),
  };
}

function argumentOf(command: Command): DescribedCommand["argument"] {
  const [argument] = command.registeredArguments;
  return argument && { name: argument.name(), told: argument.description, isRequired: argument.required };
}

function describedOption({ long, short, flags, description, argChoices }: Option): DescribedOption {
  if (long == null) throw new Error(`${flags} has no long name`);
  return { flag: long, short, told: description, value: /<(.+)>/.exec(flags)?.[1], choices: argChoices ?? [] };
}
