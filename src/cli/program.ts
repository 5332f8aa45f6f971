import { Command, CommanderError, Option } from "commander";
import { Fault } from "../fault/fault.ts";
import { rootFolder } from "./root-folder.ts";

/** Options that every command understands. */
export type SharedOptions = {
  readonly root: string;
  readonly endpoint: string | undefined;
  readonly channel: string | undefined;
  readonly json: boolean;
  readonly logFormat: "text" | "json" | undefined;
  readonly logLevel: string | undefined;
};

export type DryRunOptions = SharedOptions & { readonly exitCode: boolean };
export type RunOptions = SharedOptions & { readonly now: boolean; readonly install: boolean };
export type RouteOptions = SharedOptions & { readonly url: string | undefined };

/** What each command does; the number is the exit status. */
export type Commands = {
  readonly dryRun: (options: DryRunOptions) => Promise<number>;
  readonly run: (options: RunOptions) => Promise<number>;
  readonly route: (options: RouteOptions) => Promise<number>;
  readonly retry: (options: SharedOptions) => Promise<number>;
  readonly config: (options: SharedOptions) => Promise<number>;
  readonly version: (options: SharedOptions) => Promise<number>;
  /** The deciding unit's own command. */
  readonly pass: (options: SharedOptions) => Promise<number>;
  /** The asking unit's own command. */
  readonly ask: (options: SharedOptions) => Promise<number>;
};

export type Screen = { readonly out: (text: string) => void; readonly error: (text: string) => void };

const examples = `
Examples:
  svc-upgrade dry-run               what would a pass do now, and why
  sudo svc-upgrade run              one pass, followed
  sudo svc-upgrade run --now        the same, without waiting for the window

Exit status: 0 done or nothing to do, 10 failed and undone, 11 failed,
64 usage, 65 bad answer, 69 needs a hand, 75 tried again by itself,
77 permission, 78 settings.`;

/** Parses the arguments and runs the command they name. Usage faults are thrown as such. */
export async function runProgram(argv: readonly string[], commands: Commands, screen: Screen): Promise<number> {
  let status = 0;
  const program = commandTree(commands, (ended) => (status = ended), screen);
  try {
    await program.parseAsync([...meant(argv)], { from: "user" });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.exitCode === 0) return 0;
    throw usageFault(thrown);
  }
  return status;
}

/** What people type before they know the commands. */
function meant(argv: readonly string[]): readonly string[] {
  if (argv.length === 0) return ["--help"];
  return argv[0] === "--version" ? ["version", ...argv.slice(1)] : argv;
}

function commandTree(commands: Commands, end: (status: number) => void, screen: Screen): Command {
  const program = new Command("svc-upgrade")
    .description("Keeps this host's agent on the version that its cluster serves.")
    .addHelpText("after", examples)
    .helpCommand(false)
    .showSuggestionAfterError(true);
  program
    .command("dry-run")
    .usage("[options]")
    .description("say what a pass would do, and why; changes nothing")
    .option("--exit-code", "end with 100 when an upgrade is available")
    .action(async (_options: unknown, command: Command) => {
      end(await commands.dryRun({ ...sharedOptions(command), exitCode: flag(command, "exitCode") }));
    });
  program
    .command("run")
    .usage("[options]")
    .description("run one pass and follow it")
    .option("--now", "do not wait for the window, a blackout or the end of a wait")
    .option("--install", "install the agent where it is not installed")
    .action(async (_options: unknown, command: Command) => {
      end(await commands.run({ ...sharedOptions(command), now: flag(command, "now"), install: flag(command, "install") }));
    });
  program
    .command("route")
    .usage("[options] [url]")
    .argument("[url]", "where to; unless given, the channel's version")
    .description("which proxy leads to a URL, or none, and the rule that decided")
    .action(async (url: string | undefined, _options: unknown, command: Command) => {
      end(await commands.route({ ...sharedOptions(command), url }));
    });
  program
    .command("retry")
    .usage("[options]")
    .description("forget what failed here, so that the next pass tries again")
    .action(async (_options: unknown, command: Command) => {
      end(await commands.retry(sharedOptions(command)));
    });
  program
    .command("config")
    .usage("[options]")
    .description("every setting in force, and where it comes from")
    .action(async (_options: unknown, command: Command) => {
      end(await commands.config(sharedOptions(command)));
    });
  program
    .command("version")
    .usage("[options]")
    .description("print the version of svc-upgrade")
    .action(async (_options: unknown, command: Command) => {
      end(await commands.version(sharedOptions(command)));
    });
  for (const name of unitCommands) {
    program.command(name, { hidden: true }).action(async (_options: unknown, command: Command) => {
      end(await commands[name](sharedOptions(command)));
    });
  }
  // Options are made for the command that was called alone: all of them together take longer than reading the settings.
  program.hook("preSubcommand", (_program, command) => {
    (unitCommands.includes(command.name()) ? logged : shared)(command);
  });
  for (const command of [program, ...program.commands]) {
    command
      .exitOverride()
      .allowExcessArguments(false)
      .configureOutput({ writeOut: screen.out, writeErr: () => undefined });
  }
  return program;
}

/** The commands of the two units, for nobody to type. */
const unitCommands: readonly string[] & readonly ("pass" | "ask")[] = ["pass", "ask"];

function shared(command: Command): Command {
  return logged(command)
    .option("--root <dir>", "work on another root instead of this machine")
    .option("--endpoint <url>", "the version server, instead of the configured one")
    .option("--channel <name>", "the channel, instead of the configured one")
    .option("--json", "answer in JSON");
}

/** All that the units' own commands understand: they work on this machine, by its settings. */
function logged(command: Command): Command {
  return command
    .addOption(new Option("--log-format <format>", "how the log on stderr is written").choices(["text", "json"]))
    .addOption(
      new Option("--log-level <level>", "the least of what is logged").choices(["debug", "info", "notice", "warning", "error"]),
    );
}

function sharedOptions(command: Command): SharedOptions {
  const format = text(command, "logFormat");
  return {
    root: rootFolder(text(command, "root") ?? "/"),
    endpoint: text(command, "endpoint"),
    channel: text(command, "channel"),
    json: flag(command, "json"),
    logFormat: format === "text" || format === "json" ? format : undefined,
    logLevel: text(command, "logLevel"),
  };
}

function flag(command: Command, name: string): boolean {
  return command.getOptionValue(name) === true;
}

function text(command: Command, name: string): string | undefined {
  const value: unknown = command.getOptionValue(name);
  return typeof value === "string" ? value : undefined;
}

function usageFault(thrown: CommanderError): Fault {
  const [what, suggestion] = thrown.message.replace(/^error: /, "").split("\n");
  return new Fault("usage", {
    message: what?.replace(/\.$/, "") ?? "the command line cannot be understood",
    hint: suggestion === undefined ? "svc-upgrade --help shows the commands" : suggestion.replace(/^\(|\)$/g, ""),
  });
}
