import { parse } from "../host/command-line.ts";
import type { Commands } from "./options.ts";
import { commandTree } from "./tree.ts";

/** Parses the arguments and runs the command they name. */
export async function runProgram(argv: readonly string[], commands: Commands, out: (text: string) => void): Promise<number> {
  let status = 0;
  await parse(commandTree({ commands, end: (ended) => (status = ended), out }), argv);
  return status;
}
