import { faultAnswerWithWrong } from "../../src/rules/fault/fault-answer.ts";
import { faultsOf } from "../../src/rules/fault/program-faults.ts";
import { statusAnswer } from "../../src/cluster/tsh/json/status.ts";
import { versionAnswer } from "../../src/machine/command-line/version.ts";
import type { Answer } from "./answer.ts";

/** The answers of tsh, by name. */
export const answers: Readonly<Record<string, Answer>> = {
  status: { commands: ["status"], shape: statusAnswer },
  version: { commands: ["version"], shape: versionAnswer("The version of tsh, which is the cluster's.") },
  fault: { commands: ["status"], shape: faultAnswerWithWrong(faultsOf.tsh) },
};
