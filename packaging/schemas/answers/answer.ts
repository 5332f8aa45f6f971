import type { Answer } from "../answer.ts";
import { decision, fault, installed, orderlyEnds, recovered } from "../parts.ts";
import { eitherOf, instant, orNull, text, truth } from "../shapes.ts";

export const answer: Answer = {
  told: "What a pass found, what it decided, and what became of it; of a dry run, what a pass would decide.",
  commands: ["dry-run", "run", "rollback"],
  keys: {
    always: {
      installed,
      served: orNull(
        text(
          "the version that the channel serves; null where it serves none, was not asked (rollback), or gave no answer, which a repair does without",
        ),
      ),
      channel: text("the channel that the agent follows"),
      available: truth("whether the served version is newer than the installed one"),
      decision,
    },
    sometimes: {
      doubt: text("why the update waits although it is called critical, for people; left out where it does not"),
      outcome: eitherOf("how the pass ended; left out of a dry run", orderlyEnds),
      fault: { ...fault, description: "why the move was undone; the exit status is 10 then" },
      recovered,
      at: instant("the time that dry-run --at asked about; left out where that is now"),
    },
  },
};
