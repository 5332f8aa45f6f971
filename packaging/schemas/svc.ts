import { checkAnswer } from "../../src/cluster/svc/cli/check.ts";
import { joinAnswer } from "../../src/cluster/svc/cli/join.ts";
import { versionAnswer } from "../../src/machine/command-line/version.ts";
import { faultAnswerWithWrong } from "../../src/rules/fault/fault-answer.ts";
import { faultsOf } from "../../src/rules/fault/program-faults.ts";
import type { Answer } from "./answer.ts";

/** The answers of svc, by name. */
export const answers: Readonly<Record<string, Answer>> = {
  check: { commands: ["check"], shape: checkAnswer },
  join: { commands: ["join"], shape: joinAnswer },
  version: { commands: ["version"], shape: versionAnswer("The version of svc, which is the cluster's.") },
  fault: { commands: ["every command"], shape: faultAnswerWithWrong(faultsOf.svc) },
};
