import { Command, Option } from "commander";
import { optionsOf, type Given, type Program, type Row, type RowOption } from "./row.ts";

export type Building<Context> = {
  /** The rows whose options are built. Building all would take longer than reading the settings. */
  readonly asked: readonly Row<Context>[];
  readonly out: (text: string) => void;
  readonly call: (row: Row<Context>, given: Given) => Promise<void>;
};

export function commandTree<Context>(program: Program<Context>, building: Building<Context>): Command {
  // Commands below inherit these settings. Errors are thrown; the program reports them once.
  const tree = new Command(program.name)
    .exitOverride()
    .allowExcessArguments(false)
    .helpCommand(false)
    .configureOutput({ writeOut: building.out, writeErr: () => undefined });
  tree.helpInformation = () => helpScreen(program);
  for (const row of program.rows) {
    const [first, second] = row.words;
    const parent = second === undefined ? tree : groupOf(first, tree, program);
    const command = parent.command(second ?? first, { hidden: row.hidden !== undefined }).description(row.told);
    if (building.asked.includes(row)) fill(command, row, { program, building });
  }
  return tree;
}

type Scope<Context> = { readonly program: Program<Context>; readonly building: Building<Context> };

function groupOf<Context>(word: string, tree: Command, { groups = {} }: Program<Context>): Command {
  const existing = tree.commands.find((command) => command.name() === word);
  return (
    existing ??
    tree
      .command(word)
      .helpCommand(false)
      .description(groups[word] ?? "")
  );
}

function fill<Context>(command: Command, row: Row<Context>, { program, building }: Scope<Context>): void {
  for (const [name, told] of row.arguments ?? []) command.argument(name, told);
  const needed: Option[] = [];
  for (const one of optionsOf(program, row)) {
    const option = optionFor(one);
    command.addOption(option);
    if (one.needed === true) needed.push(option);
  }
  if (row.examples.length > 0) {
    command.addHelpText("after", `\nExamples:\n${row.examples.map((example) => `  ${example}`).join("\n")}`);
  }
  nameAlone(command);
  command.allowUnknownOption(row.unknownOptions !== undefined);
  command.action(() => {
    // Checked here, because commander would report it before an unknown option, which may be the needed one misspelt.
    const missing = needed.find((option) => command.getOptionValue(option.attributeName()) === undefined);
    if (missing !== undefined) command.error(`error: required option '${missing.flags}' not specified`);
    refuseTwoFormats(command);
    return building.call(row, givenIn(command, row));
  });
}

/** Leaves `=VALUE` out of the fault for an unknown option: commander would find nothing similar, and the value may be a secret. */
function nameAlone(command: Command): void {
  const inner = command as unknown as { unknownOption: (flag: string) => void };
  const refuse = inner.unknownOption.bind(command);
  inner.unknownOption = (flag) => refuse(flag.replace(/=.*/s, ""));
}

/** Accepts `--json` together with `--format json`, because they agree. */
function refuseTwoFormats(command: Command): void {
  const [json, format] = ["json", "format"].map((name) => command.options.find((option) => option.attributeName() === name));
  if (json === undefined || format === undefined || command.getOptionValue("json") !== true) return;
  if (command.getOptionValueSource("format") !== "cli" || command.getOptionValue("format") === "json") return;
  command.error(`error: option '${json.flags}' cannot be used with option '${format.flags}'`);
}

function optionFor({ flags, told, choices, usual }: RowOption): Option {
  const option = new Option(flags, told);
  if (choices !== undefined) option.choices(choices);
  if (usual !== undefined) option.default(usual);
  return option;
}

function givenIn<Context>(command: Command, { formats = ["text"] }: Row<Context>): Given {
  const text = (name: string): string | undefined => {
    const value: unknown = command.getOptionValue(name);
    return typeof value === "string" && command.getOptionValueSource(name) !== "default" ? value : undefined;
  };
  const isSet = (name: string): boolean => command.getOptionValue(name) === true;
  return {
    arguments: command.args,
    text,
    isSet,
    format: isSet("json") ? "json" : (text("format") ?? formats[0] ?? "text"),
  };
}

/** Prints all commands of the program on one screen. */
function helpScreen<Context>({ name, told, rows, below }: Program<Context>): string {
  const listed = rows
    .filter(({ hidden, undoes }) => hidden === undefined && undoes === undefined)
    .map((row) => ({ ...row, words: [row.words.join(" "), ...undoing(row)].join(", ") }));
  const width = Math.max(...listed.map(({ words }) => words.length));
  const lines = listed.map((row) => `  ${row.words.padEnd(width)}  ${row.told}`);
  return `Usage: ${name} <command> [options]\n\n${told}\n\n${lines.join("\n")}\n\n${below}`;

  function undoing({ words }: Row<Context>): readonly string[] {
    return rows.filter(({ undoes }) => undoes === words.join(" ")).map((row) => row.words.join(" "));
  }
}
