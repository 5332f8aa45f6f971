import { checkAnswer } from "../../src/proxy/server/cli/check.ts";
import { digestAnswer } from "../../src/proxy/server/cli/digest.ts";
import { exportAnswer } from "../../src/proxy/server/cli/export.ts";
import { versionAnswer } from "../../src/machine/command-line/version.ts";
import { faultAnswer } from "../../src/rules/fault/fault-answer.ts";
import { faultsOf } from "../../src/rules/fault/program-faults.ts";
import type { Answer } from "./answer.ts";

/** The answers of svc-proxy, by name. */
export const answers: Readonly<Record<string, Answer>> = {
  check: { commands: ["check"], shape: checkAnswer },
  digest: { commands: ["config digest"], shape: digestAnswer },
  export: { commands: ["export"], shape: exportAnswer },
  version: { commands: ["version"], shape: versionAnswer("The version of svc-proxy itself.") },
  fault: { commands: ["every command"], shape: faultAnswer(faultsOf["svc-proxy"]) },
};
