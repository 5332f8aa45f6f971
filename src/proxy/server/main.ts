import { encode } from "../../rules/shape/write.ts";
import { asFault, faultData } from "../../rules/fault/explain.ts";
import { faultAnswer } from "../../rules/fault/fault-answer.ts";
import { faultsOf } from "../../rules/fault/program-faults.ts";
import { tellFault } from "../../rules/fault/tell-fault.ts";
import { endInLog } from "../../machine/command-line/end-in-log.ts";
import { asksForJson } from "../../machine/command-line/asks-json.ts";
import { runProgram } from "../../machine/command-line/run-program.ts";
import { called } from "./cli/called.ts";
import { svcProxy } from "./cli/program.ts";
import type { ServerSurroundings } from "./surroundings.ts";

/** The whole program: takes arguments, writes answers and log, returns the exit status. Catches everything thrown. */
export async function main(surroundings: ServerSurroundings): Promise<number> {
  const { argv, out } = surroundings;
  try {
    return await runProgram(svcProxy, argv, { out, context: (given) => called(given, surroundings) });
  } catch (thrown) {
    const fault = tellFault(thrown, "svc-proxy");
    if (asksForJson(argv)) out(`${JSON.stringify(encode(faultAnswer(faultsOf["svc-proxy"]), fault))}\n`);
    const [cause] = faultData(asFault(thrown)).causes;
    const isNews = cause !== undefined && !fault.message.includes(cause);
    return endInLog({ thrown, fault, cause: isNews ? cause : undefined }, surroundings);
  }
}
