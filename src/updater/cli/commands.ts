import { runProgram } from "../../machine/command-line/run-program.ts";
import { openLog } from "./open.ts";
import { sharedOptions } from "./options.ts";
import type { Surroundings } from "./surroundings.ts";
import { svcUpgrade } from "./tree.ts";

/** Parses the arguments and runs the command that they name. */
export function runSpoken(surroundings: Surroundings): Promise<number> {
  const { argv, out } = surroundings;
  return runProgram(svcUpgrade, argv, {
    out,
    context: async (given) => {
      const options = sharedOptions(given);
      return { options, context: { surroundings, log: await openLog(options, surroundings) } };
    },
  });
}
