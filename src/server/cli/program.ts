import { Command, CommanderError, Option } from "commander";
import { Fault } from "../../fault/fault.ts";
import type { ExportOptions } from "./export.ts";
import type { Options } from "./context.ts";
import type { KeepOptions } from "./keep-proxies.ts";

/** What each command does; the number is the exit status. */
export type Commands = {
  readonly serve: (options: Options) => Promise<number>;
  readonly check: (options: Options) => Promise<number>;
  readonly digest: (options: Options) => Promise<number>;
  readonly exportAnswers: (options: ExportOptions) => Promise<number>;
  readonly version: (options: Options) => Promise<number>;
  readonly keepProxies: (options: Options & KeepOptions) => Promise<number>;
};

type Row = {
  readonly words: readonly [string] | readonly [string, string];
  readonly told: string;
  readonly argument?: readonly [name: string, told: string];
  /** Whether it reads the configuration, and whether it has an answer that could be JSON. */
  readonly takes: readonly ("config" | "json")[];
  readonly examples: readonly string[];
  readonly call: (commands: Commands, options: Options, argument: string) => Promise<number>;
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

/** The unit's own command, for nobody to type. */
const unitCommand = "keep-proxies";

export function isForPeople(name: string): boolean {
  return name !== unitCommand;
}

/** Parses the arguments and runs the command they name. Usage faults are thrown as such. */
export async function runProgram(argv: readonly string[], commands: Commands, out: (text: string) => void): Promise<number> {
  let status = 0;
  const program = commandTree(commands, { end: (ended) => (status = ended), out });
  try {
    await program.parseAsync(meant(argv), { from: "user" });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.exitCode === 0) return 0;
    throw usageFault(thrown);
  }
  return status;
}

/** What people type before they know the commands. */
function meant(argv: readonly string[]): string[] {
  const [first, ...others] = argv;
  if (first === undefined || (first === "help" && others.length === 0)) return ["--help"];
  if (first === "help") return [...others, "--help"];
  return first === "--version" ? ["version", ...others] : [...argv];
}

/** For what is generated from it: the manual page and the completions. */
export function wholeTree(): Command {
  const unused = (): Promise<number> => Promise.reject(new Error("this tree is only looked at"));
  const commands = new Proxy({}, { get: () => unused }) as Commands;
  return commandTree(commands, { end: () => undefined, out: () => undefined });
}

type Calling = { readonly end: (status: number) => void; readonly out: (text: string) => void };

function commandTree(commands: Commands, { end, out }: Calling): Command {
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
    command.addHelpText("after", `\nExamples:\n${row.examples.map((example) => `  ${example}`).join("\n")}`);
    command.action(async (...given: readonly unknown[]) => {
      end(await row.call(commands, optionsOf(command), row.argument === undefined ? "" : String(given[0])));
    });
  }
  const command = quiet(program.command(unitCommand, { hidden: true }), out)
    .argument("<from>")
    .argument("<to>");
  addOptions(command, { takes: [] });
  command.action(async (from: string, to: string) => {
    end(await commands.keepProxies({ ...optionsOf(command), from, to }));
  });
  return program;
}

function existing(program: Command, name: string): Command | undefined {
  return program.commands.find((command) => command.name() === name);
}

function quiet(command: Command, out: (text: string) => void): Command {
  return command
    .exitOverride()
    .allowExcessArguments(false)
    .configureOutput({ writeOut: out, writeErr: () => undefined });
}

function addOptions(command: Command, { takes }: Pick<Row, "takes">): void {
  if (takes.includes("config")) command.option("--config <file>", "the platform's configuration", defaultConfig);
  if (takes.includes("json")) command.option("--json", "answer in JSON");
  command.addOption(new Option("--log-format <format>", "how the log on stderr is written").choices(["text", "json"]));
  command.addOption(
    new Option("--log-level <level>", "the least of what is logged").choices(["debug", "info", "notice", "warning", "error"]),
  );
}

const defaultConfig = "/etc/svc.yaml";

function optionsOf(command: Command): Options {
  const text = (name: string): string | undefined => {
    const value: unknown = command.getOptionValue(name);
    return typeof value === "string" ? value : undefined;
  };
  return {
    config: text("config") ?? defaultConfig,
    json: command.getOptionValue("json") === true,
    logFormat: text("logFormat"),
    logLevel: text("logLevel"),
  };
}

function programHelp(program: Command): string {
  const width = Math.max(...rows.map(({ words }) => words.join(" ").length));
  const lines = rows.map(({ words, told }) => `  ${words.join(" ").padEnd(width)}  ${told}`);
  return `Usage: svc-proxy <command> [options]

${program.description()}

${lines.join("\n")}

svc-proxy check --config /etc/svc.yaml     to begin
svc-proxy <command> --help                 its options
Exit status: 0 done, 64 usage, 71 the system refused something, 74 files,
77 permission, 78 configuration
`;
}

function usageFault(thrown: CommanderError): Fault {
  // A word that needs another one was said alone.
  if (thrown.code === "commander.help") {
    return new Fault("usage", { message: "that is only half of a command", hint: "svc-proxy --help shows the commands" });
  }
  const [what, suggestion] = thrown.message.replace(/^error: /, "").split("\n");
  return new Fault("usage", {
    message: what?.replace(/\.$/, "") ?? "the command line cannot be understood",
    hint: suggestion === undefined ? "svc-proxy --help shows the commands" : suggestion.replace(/^\(|\)$/g, ""),
  });
}
