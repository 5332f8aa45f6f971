import { faultAnswer } from "../../../src/cli/fault-json.ts";
import type { Answer } from "../answer.ts";

export const fault: Answer = {
  told: "What stopped a command, in place of its own answer; the exit status is the fault's.",
  commands: ["every command"],
  shape: faultAnswer,
};
