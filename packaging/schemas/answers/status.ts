import { statusAnswer } from "../../../src/cli/status/json.ts";
import type { Answer } from "../answer.ts";

export const status: Answer = {
  told: "Why nothing happened, and when something can: what is known without asking anybody.",
  commands: ["status"],
  shape: statusAnswer,
};
