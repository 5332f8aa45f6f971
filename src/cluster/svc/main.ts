import { encode } from "../../rules/shape/write.ts";
import { tellFault } from "../../rules/fault/tell-fault.ts";
import { faultAnswerWithWrong } from "../../rules/fault/fault-answer.ts";
import { faultLines } from "../../rules/fault/fault-lines.ts";
import { faultsOf } from "../../rules/fault/program-faults.ts";
import { endInLog } from "../../machine/command-line/end-in-log.ts";
import { hintFor } from "../../machine/command-line/hint-for.ts";
import { asksForJson } from "../../machine/command-line/asks-json.ts";
import { spoken } from "../../machine/command-line/flag-value.ts";
import type { ServerSurroundings } from "../../proxy/server/surroundings.ts";
import { runProgram } from "../../machine/command-line/run-program.ts";
import { called } from "../../proxy/server/cli/called.ts";
import { svc } from "./tree.ts";

/** Commands of the unit, whose stderr goes to the journal. All others write for the person who typed them. */
const logging: readonly string[] = ["start", "reload"];

/** The whole program: takes arguments, writes answers and the log, and returns the exit status. Catches everything thrown. */
export async function main(surroundings: ServerSurroundings): Promise<number> {
  const { argv, out } = surroundings;
  try {
    return await runProgram(svc, argv, { out, context: (given) => called(given, surroundings) });
  } catch (thrown) {
    const told = tellFault(thrown, "svc");
    const fault = {
      ...told,
      hint: hintFor(told.hint, { program: "svc", config: spoken(argv, "--config") ?? spoken(argv, "-c") }),
    };
    if (asksForJson(argv)) out(`${JSON.stringify(encode(faultAnswerWithWrong(faultsOf.svc), fault))}\n`);
    if (argv.some((word) => logging.includes(word))) return endInLog({ thrown, fault }, surroundings);
    surroundings.error(faultLines(fault));
    return fault.exit;
  }
}
