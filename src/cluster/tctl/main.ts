import { encode } from "../../rules/shape/write.ts";
import { tellFault } from "../../rules/fault/tell-fault.ts";
import { asksForJson } from "../../machine/command-line/asks-json.ts";
import { spoken } from "../../machine/command-line/flag-value.ts";
import { runProgram } from "../../machine/command-line/run-program.ts";
import { contextFor } from "./context.ts";
import { hintFor } from "../../machine/command-line/hint-for.ts";
import { printJson } from "../../rules/shape/print-json.ts";
import { faultAnswerWithWrong } from "../../rules/fault/fault-answer.ts";
import { faultLines } from "../../rules/fault/fault-lines.ts";
import { faultsOf } from "../../rules/fault/program-faults.ts";
import type { TctlSurroundings } from "./surroundings.ts";
import { tctl } from "./tree.ts";

/** The whole program: takes arguments, writes answers, returns the exit status. Catches everything thrown. */
export async function main(surroundings: TctlSurroundings): Promise<number> {
  const { argv, out, error } = surroundings;
  try {
    return await runProgram(tctl, argv, { out, context: (given) => contextFor(given, surroundings) });
  } catch (thrown) {
    const told = tellFault(thrown, "tctl");
    const fault = {
      ...told,
      hint: hintFor(told.hint, { program: "tctl", config: spoken(argv, "--config") ?? spoken(argv, "-c") }),
    };
    error(faultLines(fault));
    // The options may be invalid, or may have no command, but the typed format still counts.
    if (asksForJson(argv, tctl)) out(printJson(encode(faultAnswerWithWrong(faultsOf.tctl), fault)));
    return fault.exit;
  }
}
