import { passAnswer } from "../../../src/cli/answer.ts";
import type { Answer } from "../answer.ts";

export const answer: Answer = {
  told: "What a pass found, what it decided, and what became of it; of a dry run, what a pass would decide.",
  commands: ["dry-run", "run", "rollback"],
  shape: passAnswer,
};
