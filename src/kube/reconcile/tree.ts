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
} from "../../machine/command-line/commander.ts";

export type Options = {
  readonly config: string;
  readonly isJson: boolean;
  readonly logFormat: string | undefined;
  readonly logLevel: string | undefined;
};

/** What is typed with one command alone. */
export type Words = {
  readonly flag: (name: string) => boolean;
  /** In the order in which they are typed. */ readonly args: readonly string[];
};

/** What each command does; the number is the exit status. */
export type Commands = {
  readonly start: (options: Options) => Promise<number>;
  readonly check: (options: Options) => Promise<number>;
  readonly status: (options: Options, words: Words) => Promise<number>;
  readonly dryRun: (options: Options, words: Words) => Promise<number>;
  readonly run: (options: Options, words: Words) => Promise<number>;
  readonly retry: (options: Options, words: Words) => Promise<number>;
  readonly rollback: (options: Options, words: Words) => Promise<number>;
  readonly version: () => Promise<number>;
};

type Row = {
  readonly name: string;
  readonly call: keyof Commands;
  readonly told: string;
  readonly takes: readonly ("config" | "json")[];
  readonly args?: readonly (readonly [name: string, told: string])[];
  readonly options?: readonly (readonly [flags: string, told: string])[];
  readonly examples: readonly string[];
};

const objectOf = ["[object]", "as kubectl names it, or its name alone; needed where the updater follows several"] as const;
const objectsOf = ["[object]", "this one alone: as kubectl names it, or its name alone"] as const;

/** In the order of the help. */
const rows: readonly Row[] = [
  {
    name: "status",
    call: "status",
    told: "why nothing happened, and when something can",
    takes: ["config", "json"],
    args: [objectsOf],
    examples: [
      "kubectl exec deployment/agent-updater -- svc-kube-updater status",
      "svc-kube-updater status --json | jq .objects[].decision",
    ],
  },
  {
    name: "dry-run",
    call: "dryRun",
    told: "what the updater would do now, and why; changes nothing",
    takes: ["config", "json"],
    args: [objectsOf],
    options: [["--exit-code", "end with 100 when an upgrade is available"]],
    examples: ["svc-kube-updater dry-run", "svc-kube-updater dry-run --exit-code --json"],
  },
  {
    name: "run",
    call: "run",
    told: "have the updater decide now, whatever the window says (--now)",
    takes: ["config", "json"],
    args: [objectOf],
    options: [["--now", "do not wait for the window, a blackout or the end of a wait"]],
    examples: ["svc-kube-updater run --now"],
  },
  {
    name: "retry",
    call: "retry",
    told: "forget what failed here, so that the updater tries again",
    takes: ["config", "json"],
    args: [objectOf, ["[version]", "only this rejected version; unless given, all that failed"]],
    examples: ["svc-kube-updater retry", "svc-kube-updater retry 15.4.6", "svc-kube-updater retry statefulset/agent 15.4.6"],
  },
  {
    name: "rollback",
    call: "rollback",
    told: "go back to the version before, and reject the one left",
    takes: ["config", "json"],
    args: [objectOf],
    examples: ["svc-kube-updater rollback"],
  },
  {
    name: "start",
    call: "start",
    told: "move the object to the version that its channel serves, when it may, or say why it stays; until it is stopped",
    takes: ["config"],
    examples: ["svc-kube-updater start --config ./settings.yaml"],
  },
  {
    name: "check",
    call: "check",
    told: "what is wrong with the settings, all of it at once",
    takes: ["config"],
    examples: ["svc-kube-updater check --config ./settings.yaml"],
  },
  {
    name: "version",
    call: "version",
    told: "print the version of svc-kube-updater",
    takes: [],
    examples: ["svc-kube-updater version"],
  },
];

const defaultConfig = "/etc/svc-kube-updater/settings.yaml";
const sharedFlags: SharedFlags = { ...logFlags, "--config": "value", "-c": "value", "--json": "alone" };

/** Parses the arguments and runs the command that they name. */
export async function runTree(argv: readonly string[], commands: Commands, out: (text: string) => void): Promise<number> {
  let status = 0;
  await parse(commandTree(commands, { end: (ended) => (status = ended), out }), argv, sharedFlags);
  return status;
}

/** For what is generated from it: the manual page and the completions. */
export function wholeTree(): Command {
  return commandTree(uncalled as Commands, { end: () => undefined, out: () => undefined });
}

type Calling = { readonly end: (status: number) => void; readonly out: (text: string) => void };

function commandTree(commands: Commands, { end, out }: Calling): Command {
  const program = quiet(new Command("svc-kube-updater"), out);
  program
    .description("Keeps an agent in Kubernetes on the version that its channel serves, and says why it stays.")
    .helpCommand(false)
    .showSuggestionAfterError(true);
  program.helpInformation = () => programHelp(program);
  for (const { name, call, told, takes, args = [], options = [], examples } of rows) {
    const command = quiet(program.command(name), out).description(told);
    for (const argument of args) command.argument(...argument);
    for (const option of options) command.option(...option);
    if (takes.includes("config")) command.option("-c, --config <file>", "the settings, YAML", defaultConfig);
    if (takes.includes("json")) command.option("--json", "answer in JSON");
    addLogOptions(command);
    addExamples(command, examples);
    command.action(async () => {
      const words: Words = { flag: (flag) => isSet(command, flag), args: command.args };
      end(await commands[call](optionsOf(command), words));
    });
  }
  return program;
}

function optionsOf(command: Command): Options {
  return {
    config: textOf(command, "config") ?? defaultConfig,
    isJson: isSet(command, "json"),
    logFormat: textOf(command, "logFormat"),
    logLevel: textOf(command, "logLevel"),
  };
}

function programHelp(program: Command): string {
  return helpScreen(
    program,
    rows,
    `In a cluster: kubectl exec deployment/RELEASE-updater -- svc-kube-updater status
svc-kube-updater <command> --help    its options
Exit status: 0 done, 64 usage, 65 bad input, 69 not there, 71 the system
refused something, 74 files, 75 try again, 77 permission, 78 settings
`,
  );
}
