import { Command } from "commander";
import { addExamples, addLogOptions, isSet, quiet, textOf, uncalled, helpScreen } from "../host/command-line.ts";
import type { Commands, SharedOptions } from "./options.ts";
import { rootFolder } from "./root-folder.ts";

/** One command: its words for people, its own options, and what it calls. */
type Row = {
  readonly name: string;
  readonly told: string;
  /** Whether it takes an endpoint and a channel in place of the configured ones. */
  readonly asks?: "the-channel";
  readonly argument?: readonly [name: string, told: string];
  readonly options?: readonly (readonly [flags: string, told: string])[];
  readonly examples: readonly string[];
  readonly call: (commands: Commands, words: Words) => Promise<number>;
};

/** What was said on the command line. */
type Words = {
  readonly shared: () => SharedOptions;
  readonly argument: string | undefined;
  readonly flag: (name: string) => boolean;
  readonly text: (name: string) => string | undefined;
};

/** In the order of the help. */
const rows: readonly Row[] = [
  {
    name: "status",
    told: "why nothing happened, and when something can",
    examples: ["svc-upgrade status", "svc-upgrade status --json | jq .next"],
    call: (commands, { shared }) => commands.status(shared()),
  },
  {
    name: "doctor",
    told: "prove each hop and prerequisite; a fix for whatever fails",
    asks: "the-channel",
    examples: ["sudo svc-upgrade doctor", "svc-upgrade doctor --endpoint https://proxy.example.com"],
    call: (commands, { shared }) => commands.doctor(shared()),
  },
  {
    name: "dry-run",
    told: "what a pass would do now, and why; changes nothing",
    asks: "the-channel",
    options: [
      ["--exit-code", "end with 100 when an upgrade is available"],
      ["--at <time>", "what a pass would do then, by what is known now"],
    ],
    examples: ["svc-upgrade dry-run", "svc-upgrade dry-run --at 03:30", "svc-upgrade dry-run --at +2h --json"],
    call: (commands, { shared, flag, text }) => commands.dryRun({ ...shared(), exitCode: flag("exitCode"), at: text("at") }),
  },
  {
    name: "run",
    told: "run one pass and follow it (--now: without waiting for a window)",
    asks: "the-channel",
    options: [
      ["--now", "do not wait for the window, a blackout or the end of a wait"],
      ["--install", "install the agent where it is not installed"],
    ],
    examples: ["sudo svc-upgrade run", "sudo svc-upgrade run --now"],
    call: (commands, { shared, flag }) => commands.run({ ...shared(), now: flag("now"), install: flag("install") }),
  },
  {
    name: "hold",
    told: "let nothing move for a while, or until unhold",
    options: [
      ["--until <time>", "when it ends: a time, a date, or a duration such as 3d"],
      ["--reason <text>", "why, for whoever looks at the status"],
    ],
    examples: ['sudo svc-upgrade hold --until "2026-12-24 08:00" --reason "year-end freeze"', "sudo svc-upgrade hold --until 2h"],
    call: (commands, { shared, text }) => commands.hold({ ...shared(), until: text("until"), reason: text("reason") }),
  },
  {
    name: "unhold",
    told: "end a hold",
    examples: ["sudo svc-upgrade unhold"],
    call: (commands, { shared }) => commands.unhold(shared()),
  },
  {
    name: "retry",
    told: "forget what failed here, so that the next pass tries again",
    argument: ["[version]", "only this rejected version; unless given, all that failed"],
    examples: ["sudo svc-upgrade retry", "sudo svc-upgrade retry 15.4.6"],
    call: (commands, { shared, argument }) => commands.retry({ ...shared(), version: argument }),
  },
  {
    name: "rollback",
    told: "go back to the version before, and reject the one left",
    examples: ["sudo svc-upgrade rollback", "sudo svc-upgrade hold && sudo svc-upgrade rollback"],
    call: (commands, { shared }) => commands.rollback(shared()),
  },
  {
    name: "schedule",
    told: "the maintenance windows, and which line is wrong",
    argument: ["[file]", "the schedule file; unless given, the one in force"],
    options: [["--at <time>", "as of then instead of now"]],
    examples: ["svc-upgrade schedule", "svc-upgrade schedule ./schedule --at tomorrow"],
    call: (commands, { shared, argument, text }) => commands.schedule({ ...shared(), file: argument, at: text("at") }),
  },
  {
    name: "route",
    told: "which proxy leads to a URL, or none, and the rule that decided",
    asks: "the-channel",
    argument: ["[url]", "where to; unless given, the channel's version"],
    examples: ["svc-upgrade route", "svc-upgrade route https://repository.example.com/"],
    call: (commands, { shared, argument }) => commands.route({ ...shared(), url: argument }),
  },
  {
    name: "config",
    told: "every setting in force, and where it comes from",
    asks: "the-channel",
    examples: ["svc-upgrade config", "svc-upgrade config --json"],
    call: (commands, { shared }) => commands.config(shared()),
  },
  {
    name: "enroll",
    told: "put this host on a cluster's channel and start the timer",
    asks: "the-channel",
    options: [
      ["--package <name>", "the agent's package, where it is not svc-ent"],
      ["--unit <name>", "the service that runs that package's agent"],
      ["--agent-user <name>", "who writes the schedule, where the agent does not run as root"],
    ],
    examples: [
      "sudo svc-upgrade enroll --endpoint https://proxy.example.com",
      "sudo svc-upgrade enroll --endpoint https://proxy.example.com --agent-user svc",
    ],
    call: (commands, { shared, text }) =>
      commands.enroll({ ...shared(), package: text("package"), unit: text("unit"), agentUser: text("agentUser") }),
  },
  {
    name: "unenroll",
    told: "take back what enroll did",
    examples: ["sudo svc-upgrade unenroll"],
    call: (commands, { shared }) => commands.unenroll(shared()),
  },
  {
    name: "version",
    told: "print the version of svc-upgrade",
    examples: ["svc-upgrade version"],
    call: (commands, { shared }) => commands.version(shared()),
  },
];

/** The units' own commands, for nobody to type. */
const unitCommands: readonly string[] & readonly ("pass" | "ask" | "act")[] = ["pass", "ask", "act"];

export type Calling = {
  readonly commands: Commands;
  /** Told the exit status of the command that was called. */
  readonly end: (status: number) => void;
  readonly out: (text: string) => void;
};

export function commandTree({ commands, end, out }: Calling): Command {
  const program = new Command("svc-upgrade")
    .description("Keeps this host's agent on the version that its cluster serves.")
    .helpCommand(false)
    .showSuggestionAfterError(true);
  program.helpInformation = () => programHelp(program);
  for (const row of rows) {
    const command = program.command(row.name).description(row.told).usage(usageOf(row));
    if (row.argument !== undefined) command.argument(...row.argument);
    addExamples(command, row.examples);
    command.action(async (...given: readonly unknown[]) => {
      const argument = row.argument === undefined ? undefined : given[0];
      end(await row.call(commands, wordsOf(command, typeof argument === "string" ? argument : undefined)));
    });
  }
  for (const name of unitCommands) {
    const command = program.command(name, { hidden: true });
    command.action(async () => end(await commands[name](sharedOptions(command))));
  }
  // Options are made for the command that was called alone: all of them together take longer than reading the settings.
  program.hook("preSubcommand", (_program, command) => addOptions(command));
  for (const command of [program, ...program.commands]) quiet(command, out);
  return program;
}

/** The whole tree with every option of every command, for what is generated from it: the man page and the completions. */
export function wholeTree(): Command {
  const program = commandTree({ commands: uncalled as Commands, end: () => undefined, out: () => undefined });
  for (const command of program.commands) addOptions(command);
  return program;
}

export function isForPeople(name: string): boolean {
  return !unitCommands.includes(name);
}

function usageOf({ argument }: Row): string {
  return argument === undefined ? "[options]" : `[options] ${argument[0]}`;
}

/** A command's own options first: they are what its help is looked up for. */
function addOptions(command: Command): void {
  const row = rows.find(({ name }) => name === command.name());
  if (row !== undefined) {
    for (const [flags, told] of row.options ?? []) command.option(flags, told);
    if (row.asks === "the-channel") {
      const own = row.name === "enroll" ? "" : ", instead of the configured one";
      command.option("--endpoint <url>", `the version server${own}`);
      command.option("--channel <name>", `the channel${own}`);
    }
    command.option("--json", "answer in JSON");
    command.option("--root <dir>", "work on another root instead of this machine");
  }
  // All that the units' own commands understand: they work on this machine, by its settings.
  addLogOptions(command);
}

function wordsOf(command: Command, argument: string | undefined): Words {
  return {
    shared: () => sharedOptions(command),
    argument,
    flag: (name) => isSet(command, name),
    text: (name) => textOf(command, name),
  };
}

function sharedOptions(command: Command): SharedOptions {
  const format = textOf(command, "logFormat");
  return {
    root: rootFolder(textOf(command, "root") ?? "/"),
    endpoint: textOf(command, "endpoint"),
    channel: textOf(command, "channel"),
    json: isSet(command, "json"),
    logFormat: format === "text" || format === "json" ? format : undefined,
    logLevel: textOf(command, "logLevel"),
  };
}

/** One screen of 24 lines and 80 columns. */
function programHelp(program: Command): string {
  const shown = program.createHelp().visibleCommands(program);
  const listed = shown.map((command) => ({ name: command.name(), told: command.description() }));
  return helpScreen(
    program,
    listed,
    `sudo svc-upgrade enroll --endpoint https://proxy.example.com     to begin
svc-upgrade <command> --help                                     its options
Exit status: 0 done or nothing to do, 10 failed and undone, 11 failed,
64 usage, 65 bad answer, 69 needs a hand, 75 tried again by itself,
77 permission, 78 settings. More: man svc-upgrade
`,
  );
}
