import { Command } from "commander";
import {
  addExamples,
  addLogOptions,
  isSet,
  logFlags,
  quiet,
  textOf,
  uncalled,
  helpScreen,
  type SharedFlags,
} from "../../machine/command-line/commander.ts";
import type { Commands, SharedOptions } from "./options.ts";
import { rootFolder } from "./root-folder.ts";

/** One command: its words for people, its own options, and what it calls. */
type Row = {
  readonly name: string;
  readonly told: string;
  /** The command that it takes back: the help lists the two together. */
  readonly undoes?: string;
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
    name: "history",
    told: "what was upgraded or tried on this host, and how it ended",
    examples: ["svc-upgrade history", "svc-upgrade history --json | jq '.moves[0]'"],
    call: (commands, { shared }) => commands.history(shared()),
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
    told: "run one pass and follow it (--now: whatever the window says)",
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
    argument: ["[time...]", "when it ends: a duration, a day, a date or a time; unless given, with unhold"],
    options: [
      ["--until <time>", "the same, as a flag"],
      ["--reason <text>", "why, for whoever looks at the status"],
    ],
    examples: ["sudo svc-upgrade hold 2d", 'sudo svc-upgrade hold monday 08:00 --reason "year-end freeze"'],
    call: (commands, { shared, argument, text }) =>
      commands.hold({ ...shared(), time: argument, until: text("until"), reason: text("reason") }),
  },
  {
    name: "unhold",
    undoes: "hold",
    told: "end a hold",
    examples: ["sudo svc-upgrade unhold"],
    call: (commands, { shared }) => commands.unhold(shared()),
  },
  {
    name: "pin",
    told: "move to this version and stay there, until unpin",
    argument: ["<version>", "the version, whatever the channel serves"],
    options: [["--reason <text>", "why, for whoever looks at the status"]],
    examples: ["sudo svc-upgrade pin 15.4.6", 'sudo svc-upgrade pin 15.4.6 --reason "until the audit"'],
    call: (commands, { shared, argument = "", text }) => commands.pin({ ...shared(), version: argument, reason: text("reason") }),
  },
  {
    name: "unpin",
    undoes: "pin",
    told: "end a pin: follow the channel again",
    examples: ["sudo svc-upgrade unpin"],
    call: (commands, { shared }) => commands.unpin(shared()),
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
    told: "which proxy leads to a URL, or none, and by which rule",
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
    name: "notify",
    told: "send a test to notify.command, and show what became of it",
    examples: ["sudo svc-upgrade notify"],
    call: (commands, { shared }) => commands.notify(shared()),
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
    undoes: "enroll",
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

/** What `addOptions` gives to more than one command: may stand before the command, too. */
export const sharedFlags: SharedFlags = {
  ...logFlags,
  "--root": "value",
  "--json": "alone",
  "--endpoint": "value",
  "--channel": "value",
};

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
      end(await row.call(commands, wordsOf(command, argumentIn(argument))));
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

/** Words of a time need no quotes. */
function argumentIn(given: unknown): string | undefined {
  if (Array.isArray(given)) return given.length === 0 ? undefined : given.join(" ");
  return typeof given === "string" ? given : undefined;
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
  const names = shown.map((command) => command.name());
  const listed = rows.flatMap(({ name, told, undoes }) => {
    const undoing = rows.find((other) => other.undoes === name);
    return undoes === undefined && names.includes(name)
      ? [{ name: [name, ...(undoing ? [undoing.name] : [])].join(", "), told }]
      : [];
  });
  return helpScreen(
    program,
    listed,
    `sudo svc-upgrade enroll --endpoint https://proxy.example.com     to begin
svc-upgrade <command> --help     its options; all the rest: man svc-upgrade
Exit status: 0 done or nothing to do, 10 undone, 11 failed, 64 usage,
65 bad answer, 69 needs a hand, 75 tried again, 77 permission, 78 settings
`,
  );
}
