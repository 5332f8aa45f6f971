import { Command } from "commander";
import {
  addExamples,
  addLogOptions,
  helpScreen,
  isSet,
  logFlags,
  parse,
  quiet,
  textOf,
  uncalled,
  type SharedFlags,
} from "../../../machine/command-line/commander.ts";
import type { ExportOptions } from "./export.ts";
import type { Options } from "./context.ts";
import type { KeepOptions } from "./keep-proxies.ts";
import type { ReloadOptions } from "./reload.ts";
import { defaultConfig, inUnit } from "./unit-command.ts";

/** What each command does; the number is the exit status. */
export type ServerCommands = {
  readonly serve: (options: Options) => Promise<number>;
  readonly check: (options: Options) => Promise<number>;
  readonly digest: (options: Options) => Promise<number>;
  readonly exportAnswers: (options: ExportOptions) => Promise<number>;
  readonly version: (options: Options) => Promise<number>;
  readonly keepProxies: (options: Options & KeepOptions) => Promise<number>;
  readonly checkInUnit: (options: Options) => Promise<number>;
  readonly reload: (options: Options & ReloadOptions) => Promise<number>;
};

type Row = {
  readonly words: readonly [string] | readonly [string, string];
  readonly told: string;
  readonly argument?: readonly [name: string, told: string];
  /** Whether it reads the configuration, and whether it has an answer that could be JSON. */
  readonly takes: readonly ("config" | "json")[];
  readonly examples: readonly string[];
  readonly call: (commands: ServerCommands, options: Options, argument: string) => Promise<number>;
};

/** In the order of the help. */
const rows: readonly Row[] = [
  {
    words: ["serve"],
    told: "serve ping and the version channels until it is stopped",
    takes: ["config"],
    examples: ["svc-proxy serve", "svc-proxy serve --config ./svc.yaml --log-format json"],
    call: (commands, options) => commands.serve(options),
  },
  {
    words: ["check"],
    told: "what is wrong with the configuration, all of it at once",
    takes: ["config", "json"],
    examples: ["svc-proxy check", "svc-proxy check --config ./svc.yaml --json | jq .channels"],
    call: (commands, options) => commands.check(options),
  },
  {
    words: ["config", "digest"],
    told: "what all instances must have in common, as one word",
    takes: ["config", "json"],
    examples: ["svc-proxy config digest"],
    call: (commands, options) => commands.digest(options),
  },
  {
    words: ["export"],
    told: "write ping and the static channels as files for a file server",
    argument: ["<dir>", "the root of the files"],
    takes: ["config", "json"],
    examples: ["svc-proxy export /srv/www"],
    call: (commands, options, directory) => commands.exportAnswers({ ...options, directory }),
  },
  {
    words: ["version"],
    told: "print the version of svc-proxy",
    takes: ["json"],
    examples: ["svc-proxy version"],
    call: (commands, options) => commands.version(options),
  },
];

type UnitRow = Pick<Row, "takes"> & {
  readonly name: string;
  readonly arguments: readonly string[];
  readonly call: (commands: ServerCommands, options: Options, given: readonly string[]) => Promise<number>;
};

/** The unit's own commands, for nobody to type. */
const unitRows: readonly UnitRow[] = [
  {
    name: "keep-proxies",
    arguments: ["<from>", "<to>"],
    takes: [],
    call: (commands, options, [from = "", to = ""]) => commands.keepProxies({ ...options, from, to }),
  },
  {
    name: inUnit,
    arguments: [],
    takes: ["config", "json"],
    call: (commands, options) => commands.checkInUnit(options),
  },
  {
    name: "reload",
    arguments: ["<pid>"],
    takes: [],
    call: (commands, options, [processId = ""]) => commands.reload({ ...options, processId }),
  },
];

export function isForPeople(name: string): boolean {
  return unitRows.every((row) => row.name !== name);
}

/** Parses the arguments and runs the command they name. */
export async function runProgram(
  argv: readonly string[],
  commands: ServerCommands,
  out: (text: string) => void,
): Promise<number> {
  let status = 0;
  await parse(commandTree(commands, { end: (ended) => (status = ended), out }), argv, sharedFlags);
  return status;
}

/** For what is generated from it: the manual page and the completions. */
export function wholeTree(): Command {
  return commandTree(uncalled as ServerCommands, { end: () => undefined, out: () => undefined });
}

type Calling = { readonly end: (status: number) => void; readonly out: (text: string) => void };

function commandTree(commands: ServerCommands, { end, out }: Calling): Command {
  const program = quiet(new Command("svc-proxy"), out);
  program.description("Serves a cluster's ping and version channels.").helpCommand(false).showSuggestionAfterError(true);
  program.helpInformation = () => programHelp(program);
  for (const row of rows) {
    const [word, below] = row.words;
    const parent =
      below === undefined ? program : (existing(program, word) ?? quiet(program.command(word).helpCommand(false), out));
    const command = quiet(parent.command(below ?? word), out).description(row.told);
    if (row.argument !== undefined) command.argument(...row.argument);
    addOptions(command, row);
    addExamples(command, row.examples);
    command.action(async (...given: readonly unknown[]) => {
      end(await row.call(commands, optionsOf(command), row.argument === undefined ? "" : String(given[0])));
    });
  }
  for (const row of unitRows) {
    const command = quiet(program.command(row.name, { hidden: true }), out);
    for (const argument of row.arguments) command.argument(argument);
    addOptions(command, row);
    command.action(async () => {
      end(await row.call(commands, optionsOf(command), command.args));
    });
  }
  return program;
}

function existing(program: Command, name: string): Command | undefined {
  return program.commands.find((command) => command.name() === name);
}

function addOptions(command: Command, { takes }: Pick<Row, "takes">): void {
  if (takes.includes("config")) command.option("--config <file>", "the platform's configuration", defaultConfig);
  if (takes.includes("json")) command.option("--json", "answer in JSON");
  addLogOptions(command);
}

/** What commands have in common. */
const sharedFlags: SharedFlags = { ...logFlags, "--config": "value", "--json": "alone" };

function optionsOf(command: Command): Options {
  return {
    config: textOf(command, "config") ?? defaultConfig,
    isConfigNamed: command.getOptionValueSource("config") === "cli",
    json: isSet(command, "json"),
    logFormat: textOf(command, "logFormat"),
    logLevel: textOf(command, "logLevel"),
  };
}

function programHelp(program: Command): string {
  return helpScreen(
    program,
    rows.map(({ words, told }) => ({ name: words.join(" "), told })),
    `svc-proxy check --config /etc/svc.yaml     to begin
svc-proxy <command> --help                 its options
Exit status: 0 done, 64 usage, 71 the system refused something, 74 files,
77 permission, 78 configuration
`,
  );
}
