import { CommanderError } from "commander";
import { Fault } from "../fault/fault.ts";
import type { Commands } from "./options.ts";
import { commandTree } from "./tree.ts";

/** Parses the arguments and runs the command they name. Usage faults are thrown as such. */
export async function runProgram(argv: readonly string[], commands: Commands, out: (text: string) => void): Promise<number> {
  let status = 0;
  const program = commandTree({ commands, end: (ended) => (status = ended), out });
  try {
    const words = meant(argv);
    const isSlip = words[0]?.startsWith("-") === false && program.commands.every((command) => command.name() !== words[0]);
    // Asked for the help of a command that does not exist, commander would show the whole program's, and all would seem well.
    await program.parseAsync(isSlip ? words.slice(0, 1) : [...words], { from: "user" });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.exitCode === 0) return 0;
    throw usageFault(thrown);
  }
  return status;
}

/** What people type before they know the commands. */
function meant(argv: readonly string[]): readonly string[] {
  if (argv.length === 0 || (argv[0] === "help" && argv.length === 1)) return ["--help"];
  if (argv[0] === "help") return [...argv.slice(1), "--help"];
  return argv[0] === "--version" ? ["version", ...argv.slice(1)] : argv;
}

function usageFault(thrown: CommanderError): Fault {
  const [what, suggestion] = thrown.message.replace(/^error: /, "").split("\n");
  return new Fault("usage", {
    message: what?.replace(/\.$/, "") ?? "the command line cannot be understood",
    hint: suggestion === undefined ? "svc-upgrade --help shows the commands" : suggestion.replace(/^\(|\)$/g, ""),
  });
}
