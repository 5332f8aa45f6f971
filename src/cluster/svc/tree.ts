import { Command, Option } from "commander";
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
import { defaultConfig, inUnit } from "../../proxy/server/cli/unit-command.ts";
import type { JoinOptions, Options } from "./cli/context.ts";

/** What each command does; the number is the exit status. */
export type SvcCommands = {
  readonly start: (options: Options) => Promise<number>;
  readonly check: (options: Options) => Promise<number>;
  readonly reload: (options: Options) => Promise<number>;
  readonly checkInUnit: (options: Options) => Promise<number>;
  readonly join: (options: JoinOptions) => Promise<number>;
  readonly version: (options: Options) => Promise<number>;
};

type Row = {
  readonly name: string;
  readonly call: keyof SvcCommands;
  readonly told: string;
  readonly takes: readonly ("config" | "pid-file" | "json" | "joining")[];
  readonly examples: readonly string[];
  /** The unit's own, for nobody to type. */
  readonly isHidden?: true;
};

/** In the order of the help. */
const rows: readonly Row[] = [
  {
    name: "start",
    call: "start",
    told: "keep this host in its cluster, and run the services that are enabled, until it is stopped",
    takes: ["config", "pid-file"],
    examples: ["svc start --config /etc/svc.yaml --pid-file=/run/svc.pid", "svc start --config ./svc.yaml --log-format json"],
  },
  {
    name: "check",
    call: "check",
    told: "what is wrong with the configuration, all of it at once",
    takes: ["config", "json"],
    examples: ["svc check", "svc check --config ./svc.yaml --json | jq .auth_service"],
  },
  {
    name: "join",
    call: "join",
    told: "join a cluster, as `tctl tokens add` on its auth host says",
    takes: ["joining", "config", "json"],
    examples: [
      "svc join --auth-server auth.example.com:3025 --token /root/svc-token --ca-pin sha256:…",
      "svc join --auth-server auth1.example.com,auth2.example.com --token /root/svc-token --ca-pin sha256:… --replace",
    ],
  },
  {
    name: "version",
    call: "version",
    told: "print the version of svc",
    takes: ["json"],
    examples: ["svc version"],
  },
  {
    name: inUnit,
    call: "checkInUnit",
    told: "the check, in the unit's place",
    takes: ["config", "pid-file", "json"],
    examples: [],
    isHidden: true,
  },
  {
    name: "reload",
    call: "reload",
    told: "have the service read its configuration again, and say what came of it",
    takes: ["config", "pid-file"],
    examples: ["svc reload --pid-file=/run/svc.pid"],
    isHidden: true,
  },
];

export function isForPeople(name: string): boolean {
  return rows.some((row) => row.name === name && row.isHidden === undefined);
}

/** Parses the arguments and runs the command they name. */
export async function runTree(argv: readonly string[], commands: SvcCommands, out: (text: string) => void): Promise<number> {
  let status = 0;
  await parse(commandTree(commands, { end: (ended) => (status = ended), out }), argv, sharedFlags);
  return status;
}

/** For what is generated from it: the manual page and the completions. */
export function wholeTree(): Command {
  return commandTree(uncalled as SvcCommands, { end: () => undefined, out: () => undefined });
}

const defaultPidFile = "/run/svc.pid";

const sharedFlags: SharedFlags = { ...logFlags, "--config": "value", "-c": "value", "--pid-file": "value", "--json": "alone" };

type Calling = { readonly end: (status: number) => void; readonly out: (text: string) => void };

function commandTree(commands: SvcCommands, { end, out }: Calling): Command {
  const program = quiet(new Command("svc"), out);
  program
    .description("Makes this host a part of its cluster, and runs the cluster's services on it: auth and proxy.")
    .helpCommand(false)
    .showSuggestionAfterError(true);
  program.helpInformation = () => programHelp(program);
  for (const { name, call, told, takes, examples, isHidden } of rows) {
    const command = quiet(program.command(name, { hidden: isHidden === true }), out).description(told);
    if (takes.includes("joining")) addJoining(command);
    if (takes.includes("config"))
      command.option("-c, --config <file>", "the configuration of this host's services", defaultConfig);
    if (takes.includes("pid-file")) command.option("--pid-file <file>", "where the number of the process is kept while it runs");
    if (takes.includes("json")) command.option("--json", "answer in JSON");
    addLogOptions(command);
    addExamples(command, examples);
    command.action(async () => end(await commands[call]({ ...optionsOf(command), ...joiningOf(command) })));
  }
  return program;
}

const kindTold = "what this host becomes; unless it is said, a proxy where the configuration has one, else a node";

function addJoining(command: Command): void {
  command
    .requiredOption("--auth-server <host:port>", "where auth is reached; several with commas between them, tried in order")
    .requiredOption("--token <file>", "the file with the token, which `tctl tokens add` made")
    .requiredOption("--ca-pin <pin>", "the pin of the cluster's certificate authority, which `tctl status` shows")
    .addOption(new Option("--kind <kind>", kindTold).choices(["node", "proxy"]))
    .option("--replace", "leave what this host has joined before, and join again with another key");
}

type Joining = Omit<JoinOptions, keyof Options>;

function joiningOf(command: Command): Joining {
  return {
    authServer: textOf(command, "authServer") ?? "",
    token: textOf(command, "token") ?? "",
    caPin: textOf(command, "caPin") ?? "",
    kind: kindIn(textOf(command, "kind")),
    existing: isSet(command, "replace") ? "replace" : "ask",
  };
}

function kindIn(typed: string | undefined): JoinOptions["kind"] {
  return typed === "node" || typed === "proxy" ? typed : undefined;
}

function optionsOf(command: Command): Options {
  const pidFile = textOf(command, "pidFile");
  return {
    config: textOf(command, "config") ?? defaultConfig,
    isConfigNamed: command.getOptionValueSource("config") === "cli",
    pidFile: pidFile ?? (command.name() === "reload" ? defaultPidFile : undefined),
    json: isSet(command, "json"),
    logFormat: textOf(command, "logFormat"),
    logLevel: textOf(command, "logLevel"),
  };
}

function programHelp(program: Command): string {
  return helpScreen(
    program,
    rows.filter(({ isHidden }) => isHidden === undefined),
    `svc check --config /etc/svc.yaml     to begin
svc <command> --help                 its options
Exit status: 0 done, 64 usage, 65 bad input, 69 not the one that is meant,
71 the system refused something, 74 files, 75 try again, 77 permission,
78 configuration
`,
  );
}
