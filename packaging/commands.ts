import { argumentName, optionsOf, partsOf, type Program, type Row, type RowOption } from "../src/machine/command-line/row.ts";

/** A command for the manual page and the completions. */
export type DescribedCommand = {
  /** The command's one or two words. */
  readonly name: string;
  readonly told: string;
  readonly argument: { readonly name: string; readonly told: string; readonly isRequired: boolean } | undefined;
  readonly options: readonly DescribedOption[];
};

export type DescribedOption = {
  /** The long form, with its hyphens. */
  readonly flag: string;
  /** The short form, with its hyphen. */
  readonly short: string | undefined;
  readonly told: string;
  /** The name of its value in the help; undefined if it takes none. */
  readonly value: string | undefined;
  /** All allowed values; empty if any is allowed. */
  readonly choices: readonly string[];
};

/** Users' commands, in the order of the help. */
export function describedCommands<Context>(program: Program<Context>): readonly DescribedCommand[] {
  return program.rows
    .filter(({ hidden }) => hidden === undefined)
    .map((row) => ({
      name: row.words.join(" "),
      told: row.told,
      argument: argumentOf(row),
      options: optionsOf(program, row).map(describedOption),
    }));
}

function argumentOf<Context>({ arguments: [first] = [] }: Row<Context>): DescribedCommand["argument"] {
  return first && { name: argumentName(first[0]), told: first[1], isRequired: first[0].startsWith("<") };
}

function describedOption(option: RowOption): DescribedOption {
  const { long, short, value } = partsOf(option);
  return { flag: long, short, told: option.told, value, choices: option.choices ?? [] };
}
