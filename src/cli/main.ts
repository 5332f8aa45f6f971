import { asFault, exitStatus, faultData } from "../fault/explain.ts";
import { tellFault } from "../sentences/decision.ts";
import { faultJson } from "./json/fault.ts";
import { spoken, parse } from "../host/command-line.ts";
import { commandsFor } from "./commands.ts";
import { openLog } from "./open.ts";
import type { Surroundings } from "./surroundings.ts";
import type { Commands } from "./options.ts";
import { commandTree } from "./tree.ts";

/** The whole program: arguments in, answer and log out, exit status back. Whatever was thrown ends here. */
export async function main(surroundings: Surroundings): Promise<number> {
  const { argv, out } = surroundings;
  try {
    return await runProgram(argv, commandsFor(surroundings), out);
  } catch (thrown) {
    const fault = faultData(asFault(thrown));
    // The options were not understood, or are gone with the command: what they say of the log still holds.
    const format = spoken(argv, "--log-format") === "json" ? "json" : undefined;
    const log = await openLog({ logFormat: format, logLevel: spoken(argv, "--log-level") }, surroundings);
    const [first = "", ...details] = fault.message.split("\n");
    const told = tellFault({ ...fault, message: details.length === 0 ? first : `${first} ${details.join("; ")}` });
    log(told.level, told.sentence, told.fields);
    if (argv.includes("--json")) out(`${JSON.stringify(faultJson(fault))}\n`);
    if (fault.code === "bug" && thrown instanceof Error) log("debug", "where it came from", { stack: thrown.stack });
    return exitStatus(fault.code);
  }
}

/** Parses the arguments and runs the command they name. */
async function runProgram(argv: readonly string[], commands: Commands, out: (text: string) => void): Promise<number> {
  let status = 0;
  await parse(commandTree({ commands, end: (ended) => (status = ended), out }), argv);
  return status;
}
