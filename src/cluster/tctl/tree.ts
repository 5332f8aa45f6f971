import { Command, Option } from "commander";
import { addExamples, helpScreen, isSet, parse, quiet, textOf, type SharedFlags } from "../../machine/command-line/commander.ts";
import type { Given, Options, TctlContext } from "./context.ts";
import { spoken } from "../../machine/command-line/flag-value.ts";
import { rows, type Row } from "./rows.ts";

export type MakeContext = (options: Options, row: Pick<Row, "proxyIsFor">) => TctlContext;

/** Parses the arguments and runs the command that they name; the number is the exit status. */
export async function runTree(argv: readonly string[], context: MakeContext, out: (text: string) => void): Promise<number> {
  let status = 0;
  const tree = commandTree({
    out,
    call: async (row, command, given) => {
      const options = {
        config: textOf(command, "config"),
        proxy: textOf(command, "proxy"),
        format: textOf(command, "format"),
      };
      status = await row.call(context(options, row), {
        arguments: given,
        text: (name) => textOf(command, name),
        isSet: (name) => isSet(command, name),
      });
    },
  });
  await parse(tree, argv, sharedFlags);
  return status;
}

/** For what is generated from it: the manual page and the completions. */
export function wholeTree(): Command {
  return commandTree({ out: () => undefined, call: () => Promise.reject(new Error("this tree is only looked at")) });
}

const sharedFlags: SharedFlags = {
  "--config": "value",
  "-c": "value",
  "--proxy": "value",
  "--format": "value",
  "-f": "value",
};

/** With some commands -f means something else. */
const isShortFormat = ({ options = [] }: Pick<Row, "options">): boolean => options.every(({ flags }) => !flags.startsWith("-f,"));

function formatFlags(row: Row): string {
  return isShortFormat(row) ? "-f, --format <format>" : "--format <format>";
}

/** What was asked for, also where the command line was not understood. */
export function formatIn(argv: readonly string[]): string | undefined {
  const others = rows.filter((row) => !isShortFormat(row)).map(({ words: [word] }) => word);
  return spoken(argv, "--format") ?? (argv.some((word) => others.includes(word)) ? undefined : spoken(argv, "-f"));
}

type Calling = {
  readonly out: (text: string) => void;
  readonly call: (row: Row, command: Command, given: Given["arguments"]) => Promise<void>;
};

function commandTree({ out, call }: Calling): Command {
  const program = quiet(new Command("tctl"), out);
  program
    .description("Administers a cluster: as root on its auth host, else as who has signed in.")
    .helpCommand(false)
    .showSuggestionAfterError(true);
  program.helpInformation = () => programHelp(program);
  for (const row of rows) {
    const [word, below] = row.words;
    const parent =
      below === undefined ? program : (existing(program, word) ?? quiet(program.command(word).helpCommand(false), out));
    if (below !== undefined && parent.description() === "") parent.description(groups[word] ?? "");
    const command = quiet(parent.command(below ?? word), out).description(row.told);
    for (const [name, told] of row.arguments ?? []) command.argument(name, told);
    for (const { flags, told, choices, needed } of row.options ?? []) {
      const option = new Option(flags, told);
      if (choices !== undefined) option.choices(choices);
      command.addOption(needed === true ? option.makeOptionMandatory() : option);
    }
    if (row.formats !== undefined) {
      command.addOption(
        new Option(formatFlags(row), `how the answer is written, ${row.formats[0]} if not said`).choices(row.formats),
      );
    }
    command.addOption(new Option("-c, --config <file>", "the auth service's configuration, /etc/svc.yaml if not said"));
    command.addOption(new Option("--proxy <host>", row.proxyTold ?? "by the session at this proxy, as tsh login left it"));
    addExamples(command, row.examples);
    command.action(() => call(row, command, command.args));
  }
  return program;
}

const groups: Readonly<Record<string, string>> = {
  users: "people and their roles",
  sessions: "who is signed in",
  tokens: "what lets hosts and proxies join",
  inventory: "what instances report",
  instances: "who has joined",
  audit: "who changed what",
  ca: "the cluster's certificate authority",
};

function existing(program: Command, name: string): Command | undefined {
  return program.commands.find((command) => command.name() === name);
}

function programHelp(program: Command): string {
  return helpScreen(
    program,
    rows.map(({ words, told }) => ({ name: words.join(" "), told })),
    `tctl status to begin; tctl <command> --help shows its options.
Exit status: 0 done, 64 usage, 65 what was sent, 69 not there, 73 there already
or overtaken, 74 files, 75 try again, 77 permission, 78 configuration
`,
  );
}
