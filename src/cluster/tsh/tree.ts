import { Command, Option } from "commander";
import { addExamples, helpScreen, isSet, parse, quiet, textOf, type SharedFlags } from "../../machine/command-line/commander.ts";
import type { TshContext } from "./context.ts";
import { rows, type Row } from "./rows.ts";

/** Parses the arguments and runs the command that they name; the number is the exit status. */
export async function runTree(argv: readonly string[], context: () => TshContext, out: (text: string) => void): Promise<number> {
  let status = 0;
  const tree = commandTree({
    out,
    call: async (row, command) => {
      status = await row.call(context(), {
        arguments: command.args,
        text: (name) => textOf(command, name),
        isSet: (name) => isSet(command, name),
      });
    },
    shell: async () => {
      await (await import("./commands/ssh.ts")).ssh();
    },
  });
  await parse(tree, argv, sharedFlags);
  return status;
}

/** For what is generated from it: the manual page and the completions. */
export function wholeTree(): Command {
  const refuse = (): Promise<never> => Promise.reject(new Error("this tree is only looked at"));
  return commandTree({ out: () => undefined, call: refuse, shell: refuse });
}

/** What is there only to say that it is not served is offered to nobody. */
export function isForPeople(command: string): boolean {
  return command !== shell;
}

const shell = "ssh";
const sharedFlags: SharedFlags = { "--json": "alone", "--proxy": "value", "--format": "value", "-f": "value" };

type Calling = {
  readonly out: (text: string) => void;
  readonly call: (row: Row, command: Command) => Promise<void>;
  readonly shell: () => Promise<void>;
};

function commandTree({ out, call, shell: openShell }: Calling): Command {
  const program = quiet(new Command("tsh"), out);
  program.description("Signs you in to a cluster, for tctl and for its pages.").helpCommand(false).showSuggestionAfterError(true);
  for (const row of rows) {
    const command = quiet(program.command(row.word), out).description(row.told);
    for (const [name, told] of row.arguments ?? []) command.argument(name, told);
    for (const { flags, told, choices } of row.options ?? []) {
      const option = new Option(flags, told);
      command.addOption(choices === undefined ? option : option.choices(choices));
    }
    addExamples(command, row.examples);
    command.action(() => call(row, command));
  }
  quiet(program.command(`${shell} [words...]`, { hidden: true }), out)
    .allowUnknownOption()
    .action(openShell);
  program.helpInformation = () =>
    helpScreen(
      program,
      rows.map(({ word, told }) => ({ name: word, told })),
      `tsh login --proxy=HOST --user=NAME     to begin
tsh <command> --help                   its options
Exit status: 0 done, 64 usage, 65 what was given, 69 not there or not trusted,
74 files, 75 try again, 77 not signed in or not allowed, 78 what lies in ~/.svc
`,
    );
  return program;
}
