import { checkAnswer } from "../../src/server/cli/check.ts";
import { digestAnswer } from "../../src/server/cli/digest.ts";
import { exportAnswer } from "../../src/server/cli/export.ts";
import { versionAnswer } from "../../src/server/cli/version.ts";
import { faultAnswer } from "../../src/server/fault-json.ts";
import type { Answer } from "./answer.ts";

/** By name. */
export const answers: Readonly<Record<string, Answer>> = {
  check: { commands: ["check"], shape: checkAnswer },
  digest: { commands: ["config digest"], shape: digestAnswer },
  export: { commands: ["export"], shape: exportAnswer },
  version: { commands: ["version"], shape: versionAnswer },
  fault: { commands: ["every command"], shape: faultAnswer },
};
