import { encode } from "../../rules/shape/write.ts";
import { tellFault } from "../../rules/fault/tell-fault.ts";
import { faultAnswerWithWrong } from "../../rules/fault/fault-answer.ts";
import { faultLines } from "../../rules/fault/fault-lines.ts";
import { faultsOf } from "../../rules/fault/program-faults.ts";
import { asksForJson } from "../../machine/command-line/asks-json.ts";
import { runProgram } from "../../machine/command-line/run-program.ts";
import { printJson } from "../../rules/shape/print-json.ts";
import { contextFor } from "./context.ts";
import type { TshSurroundings } from "./surroundings.ts";
import { tsh } from "./tree.ts";

/** The whole program: takes arguments, writes answers and log, returns the exit status. Catches everything thrown. */
export async function main(surroundings: TshSurroundings): Promise<number> {
  const { argv, out, error } = surroundings;
  try {
    return await runProgram(tsh, argv, { out, context: () => contextFor(surroundings) });
  } catch (thrown) {
    const fault = tellFault(thrown, "tsh");
    error(faultLines(fault));
    if (asksForJson(argv)) out(printJson(encode(faultAnswerWithWrong(faultsOf.tsh), fault)));
    return fault.exit;
  }
}
