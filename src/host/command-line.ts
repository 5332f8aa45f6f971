import { CommanderError, Option, type Command } from "commander";
import { Fault } from "../fault/fault.ts";
import { logLevels } from "./log.ts";

/** Errors are thrown and told once, by the program itself. */
export function quiet(command: Command, out: (text: string) => void): Command {
  return command
    .exitOverride()
    .allowExcessArguments(false)
    .configureOutput({ writeOut: out, writeErr: () => undefined });
}

export function addLogOptions(command: Command): void {
  command.addOption(new Option("--log-format <format>", "how the log on stderr is written").choices(["text", "json"]));
  command.addOption(new Option("--log-level <level>", "the least of what is logged").choices(logLevels));
}

export function addExamples(command: Command, examples: readonly string[]): void {
  command.addHelpText("after", `\nExamples:\n${examples.map((example) => `  ${example}`).join("\n")}`);
}

export type HelpRow = { readonly name: string; readonly told: string };

/** The whole program on one screen: what there is, and below it how to begin and what the exit statuses say. */
export function helpScreen(program: Command, rows: readonly HelpRow[], below: string): string {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(({ name, told }) => `  ${name.padEnd(width)}  ${told}`);
  return `Usage: ${program.name()} <command> [options]\n\n${program.description()}\n\n${lines.join("\n")}\n\n${below}`;
}

export function isSet(command: Command, name: string): boolean {
  return command.getOptionValue(name) === true;
}

export function textOf(command: Command, name: string): string | undefined {
  const value: unknown = command.getOptionValue(name);
  return typeof value === "string" ? value : undefined;
}

/** Commands of which none will be called: for what is generated from a tree, the manual page and the completions. */
export const uncalled: object = new Proxy(
  {},
  { get: () => (): Promise<number> => Promise.reject(new Error("this tree is only looked at")) },
);

/** Parses the arguments and runs the command that they name. Usage faults are thrown as such. */
export async function parse(program: Command, argv: readonly string[]): Promise<void> {
  try {
    const words = meant(argv);
    const isSlip = words[0]?.startsWith("-") === false && program.commands.every((command) => command.name() !== words[0]);
    // Asked for the help of a command that does not exist, commander would show the whole program's, and all would seem well.
    await program.parseAsync(isSlip ? words.slice(0, 1) : [...words], { from: "user" });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.exitCode !== 0) throw usageFault(thrown, `${program.name()} --help shows the commands`);
  }
}

/** What people type before they know the commands. */
function meant(argv: readonly string[]): readonly string[] {
  const [first, ...others] = argv;
  if (first === undefined || (first === "help" && others.length === 0)) return ["--help"];
  if (first === "help") return [...others, "--help"];
  return first === "--version" ? ["version", ...others] : argv;
}

function usageFault({ code, message: thrown }: CommanderError, hint: string): Fault {
  // A word that needs another one was said alone.
  if (code === "commander.help") return new Fault("usage", { message: "that is only half of a command", hint });
  const [what, suggestion] = thrown.replace(/^error: /, "").split("\n");
  return new Fault("usage", {
    message: what?.replace(/\.$/, "") ?? "the command line cannot be understood",
    hint: suggestion === undefined ? hint : suggestion.replace(/^\(|\)$/g, ""),
  });
}
