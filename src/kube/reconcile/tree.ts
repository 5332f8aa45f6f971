import { Command } from "commander";
import {
  addExamples,
  addLogOptions,
  helpScreen,
  logFlags,
  parse,
  quiet,
  textOf,
  type SharedFlags,
} from "../../machine/command-line/commander.ts";

export type Options = {
  readonly config: string;
  readonly logFormat: string | undefined;
  readonly logLevel: string | undefined;
};

const rows = [
  {
    name: "start",
    told: "move the object to the version that its channel serves, when it may, or say why it stays; until it is stopped",
  },
  { name: "check", told: "what is wrong with the settings, all of it at once" },
  { name: "version", told: "print the version of svc-kube-updater" },
] as const;

/** What each command does; the number is the exit status. */
export type Commands = Readonly<Record<(typeof rows)[number]["name"], (options: Options) => Promise<number>>>;

const defaultConfig = "/etc/svc-kube-updater/settings.yaml";
const sharedFlags: SharedFlags = { ...logFlags, "--config": "value", "-c": "value" };

/** Parses the arguments and runs the command that they name. */
export async function runTree(argv: readonly string[], commands: Commands, out: (text: string) => void): Promise<number> {
  let status = 0;
  const program = quiet(new Command("svc-kube-updater"), out);
  program
    .description("Keeps an agent in Kubernetes on the version that its channel serves, and says why it stays.")
    .helpCommand(false);
  program.helpInformation = () =>
    helpScreen(program, rows, "Exit status: 0 done, 64 usage, 71 the system refused something, 74 files, 78 settings\n");
  for (const { name, told } of rows) {
    const command = quiet(program.command(name), out).description(told);
    if (name !== "version") command.option("-c, --config <file>", "the settings, YAML", defaultConfig);
    addLogOptions(command);
    addExamples(command, [`svc-kube-updater ${name}${name === "version" ? "" : " --config ./settings.yaml"}`]);
    command.action(async () => {
      status = await commands[name]({
        config: textOf(command, "config") ?? defaultConfig,
        logFormat: textOf(command, "logFormat"),
        logLevel: textOf(command, "logLevel"),
      });
    });
  }
  await parse(program, argv, sharedFlags);
  return status;
}
