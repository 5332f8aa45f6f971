import { CommanderError, Option, type Command } from "commander";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { logLevels } from "../logging/log.ts";

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

/** Options that commands have in common, and whether a value follows. */
export type SharedFlags = Readonly<Record<string, "value" | "alone">>;

export const logFlags: SharedFlags = { "--log-format": "value", "--log-level": "value" };

/**
 * Parses the arguments and runs the command that they name. What commands have in common may stand before it as well. Usage faults are
 * thrown as such.
 */
export async function parse(program: Command, argv: readonly string[], shared: SharedFlags): Promise<void> {
  const words = meant(commandFirst(argv, shared, program));
  const asked = askedIn(words, program);
  if (isHalf(words, asked)) throw halfACommand(asked);
  try {
    const isSlip = words[0]?.startsWith("-") === false && program.commands.every((command) => command.name() !== words[0]);
    // Asked for the help of a command that does not exist, commander would show the whole program's, and all would seem well.
    await program.parseAsync(isSlip ? words.slice(0, 1) : [...words], { from: "user" });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.exitCode !== 0) throw usageFault(thrown, hintFor(thrown, asked));
  }
}

/** `names`: of the program and of each command below it. */
type Asked = { readonly command: Command; readonly names: readonly string[] };

function askedIn(words: readonly string[], program: Command): Asked {
  let asked: Asked = { command: program, names: [program.name()] };
  for (const word of words) {
    const command = commandNamed(asked.command, word);
    if (command === undefined) break;
    asked = { command, names: [...asked.names, word] };
  }
  return asked;
}

/** With the argument that is missing, if one is. */
function hintFor({ message }: CommanderError, asked: Asked): string {
  const missing = asked.command.registeredArguments.find((one) => message.includes(`missing required argument '${one.name()}'`));
  return missing === undefined || missing.description === "" ? hintOf(asked) : `${hintOf(asked)}: ${missing.description}`;
}

function hintOf({ names }: Asked): string {
  return `${names.join(" ")} --help shows ${names.length === 1 ? "the commands" : "what it takes"}`;
}

/** A word that needs another one stands alone, or with options. */
function isHalf(words: readonly string[], { command, names }: Asked): boolean {
  const next = words[names.length - 1];
  const isComplete = next !== undefined && (!next.startsWith("-") || asCommands.includes(next));
  return names.length > 1 && command.commands.length > 0 && !isComplete;
}

function halfACommand({ command, names }: Asked): Fault {
  const said = names.join(" ");
  const next = new Intl.ListFormat("en", { type: "disjunction" }).format(command.commands.map((below) => below.name()));
  return new Fault("usage", {
    message: `"${said}" is only half of a command: next comes ${next}`,
    hint: `${said} --help shows what each does`,
  });
}

function commandNamed(program: Command, name: string): Command | undefined {
  return program.commands.find((command) => command.name() === name);
}

/** The same arguments with what stands before the command behind it. */
function commandFirst(argv: readonly string[], shared: SharedFlags, program: Command): readonly string[] {
  let at = 0;
  for (let word = argv[at]; word?.startsWith("-") === true; word = argv[at]) {
    const [flag = "", value] = word.split("=", 2);
    const kind = Object.hasOwn(shared, flag) ? shared[flag] : undefined;
    if (kind === undefined) break;
    at += kind === "value" && value === undefined ? 2 : 1;
  }
  const name = argv[at];
  if (at === 0) return argv;
  if (name === undefined || name === "--") throw commandMissing(argv[at - 1] ?? "", program.name());
  // Of what is not shared: the first word is complained of.
  if (name.startsWith("-") && !asCommands.includes(name)) return argv.slice(at);
  // Half of the words are no command yet.
  const end = at + ((commandNamed(program, name)?.commands.length ?? 0) > 0 ? 2 : 1);
  return [...argv.slice(at, end), ...argv.slice(0, at), ...argv.slice(end)];
}

/** A value was forgotten, or all of the command. */
function commandMissing(last: string, program: string): Fault {
  return new Fault("usage", { message: `no command follows "${quote(last)}"`, hint: `${program} --help shows the commands` });
}

const asCommands: readonly string[] = ["--help", "-h", "--version"];

/** What people type before they know the commands. */
function meant(argv: readonly string[]): readonly string[] {
  const [first, ...others] = argv;
  if (first === undefined || (first === "help" && others.length === 0)) return ["--help"];
  if (first === "help") return [...others, "--help"];
  return first === "--version" ? ["version", ...others] : argv;
}

function usageFault({ message: thrown }: CommanderError, hint: string): Fault {
  const [what, suggestion] = thrown.replace(/^error: /, "").split("\n");
  return new Fault("usage", {
    message: what?.replace(/\.$/, "") ?? "the command line cannot be understood",
    hint: suggestion === undefined ? hint : suggestion.replace(/^\(|\)$/g, ""),
  });
}
