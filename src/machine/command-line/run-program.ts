import { CommanderError } from "commander";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { commandTree } from "./commander.ts";
import { argumentName, optionsOf, partsOf, type Given, type Program, type Row } from "./row.ts";

export type Ports<Context> = {
  readonly out: (text: string) => void;
  readonly context: (given: Given) => Context | Promise<Context>;
};

/**
 * Parses the arguments, runs the named command and returns the exit status. Options of several commands may also stand before the command. Throws
 * usage faults.
 */
export async function runProgram<Context>(
  program: Program<Context>,
  argv: readonly string[],
  { out, context }: Ports<Context>,
): Promise<number> {
  const words = meant(commandFirst(argv, program));
  const asked = askedIn(words, program);
  if (isHalf(words, asked)) throw halfACommand(asked);
  let status = 0;
  const tree = commandTree(program, {
    asked: asked.rows,
    out,
    call: async (row, given) => {
      status = await row.call(await context(given), given);
    },
  });
  try {
    const isSlip = words[0]?.startsWith("-") === false && asked.rows.length === 0;
    // Parses only the first word of an unknown command, because commander would show the program's help otherwise.
    await tree.parseAsync(isSlip ? words.slice(0, 1) : [...words], { from: "user" });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.exitCode !== 0) throw usageFault(thrown, hintFor(thrown, asked));
  }
  return status;
}

/** How far the words name a command: `names` begins with the program's name, `rows` are the commands that still match. */
type Asked<Context> = { readonly names: readonly string[]; readonly rows: readonly Row<Context>[] };

function askedIn<Context>([first, second]: readonly string[], { name, rows }: Program<Context>): Asked<Context> {
  const those = rows.filter(({ words }) => words[0] === first);
  if (first === undefined || those.length === 0) return { names: [name], rows: [] };
  const one = those.find(({ words }) => words[1] !== undefined && words[1] === second);
  return one === undefined ? { names: [name, first], rows: those } : { names: [name, ...one.words], rows: [one] };
}

function isGroup<Context>({ names, rows }: Asked<Context>): boolean {
  return rows.some(({ words }) => words.length === names.length);
}

/** Names the missing argument, if there is one. */
function hintFor<Context>({ message }: CommanderError, asked: Asked<Context>): string {
  const [row] = asked.rows;
  const missing = row?.arguments?.find(([name]) => message.includes(`missing required argument '${argumentName(name)}'`));
  return missing === undefined || missing[1] === "" ? hintOf(asked) : `${hintOf(asked)}: ${missing[1]}`;
}

function hintOf<Context>({ names }: Asked<Context>): string {
  return `${names.join(" ")} --help shows ${names.length === 1 ? "the commands" : "what it takes"}`;
}

/** Whether only the first word of a two-word command was typed. */
function isHalf<Context>(words: readonly string[], asked: Asked<Context>): boolean {
  const next = words[asked.names.length - 1];
  const isComplete = next !== undefined && (!next.startsWith("-") || asCommands.includes(next));
  return isGroup(asked) && !isComplete;
}

function halfACommand<Context>({ names, rows }: Asked<Context>): Fault {
  const said = names.join(" ");
  const next = new Intl.ListFormat("en", { type: "disjunction" }).format(rows.map(({ words }) => words[1] ?? ""));
  return new Fault("usage", {
    message: `"${said}" is only half of a command: next comes ${next}`,
    hint: `${said} --help shows what each does`,
  });
}

/** Moves options that stand before the command behind it. */
function commandFirst<Context>(argv: readonly string[], program: Program<Context>): readonly string[] {
  if (argv[0]?.startsWith("-") !== true) return argv;
  const takesValue = anywhereIn(program);
  let at = 0;
  for (let word = argv[at]; word?.startsWith("-") === true; word = argv[at]) {
    const [flag = "", value] = word.split("=", 2);
    const takes = takesValue.get(flag);
    if (takes === undefined) break;
    at += takes && value === undefined ? 2 : 1;
  }
  const name = argv[at];
  if (name === undefined || name === "--") {
    // A value or the command is missing.
    const message = `no command follows "${quote(argv[at - 1] ?? "--")}"`;
    throw new Fault("usage", { message, hint: `${program.name} --help shows the commands` });
  }
  if (at === 0) return argv;
  // An option that may not stand before the command stays, so that the fault names it.
  if (name.startsWith("-") && !asCommands.includes(name)) return argv.slice(at);
  const end = at + (isGroup(askedIn([name], program)) ? 2 : 1);
  return [...argv.slice(at, end), ...argv.slice(0, at), ...argv.slice(end)];
}

/** Options that may stand before the command, by flag, and whether each takes a value. */
function anywhereIn<Context>(program: Program<Context>): ReadonlyMap<string, boolean> {
  const options = program.rows.flatMap((row) => optionsOf(program, row)).filter(({ anywhere }) => anywhere);
  return new Map(
    options.map(partsOf).flatMap(({ short, long, value }) => {
      const takes = value !== undefined;
      return short === undefined ? [[long, takes] as const] : [[long, takes] as const, [short, takes] as const];
    }),
  );
}

const asCommands: readonly string[] = ["--help", "-h", "--version"];

/** Understands common first guesses at a command. */
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
