import type { Done } from "../../../src/enroll/done.ts";
import type { Answer } from "../answer.ts";
import { wholeAnswer } from "../parts.ts";
import { eitherOf, list, oneOf, record, text } from "../shapes.ts";
import { dryAnswer as dryShape } from "../../../src/cli/answer.ts";
import { answer } from "./answer.ts";
import { fault } from "./fault.ts";

const things: Readonly<Record<Done["what"], string>> = {
  fragment: "a settings file",
  schedule: "the schedule file and its folder",
  timer: "the timer that starts the passes",
};

const changes: Readonly<Record<Done["change"], string>> = {
  made: "it was not there",
  replaced: "it said something else before",
  given: "it belongs to the agent's user now",
  enabled: "it is enabled and started",
  none: "it was already so",
  removed: "it is gone",
  returned: "it belongs to whom it belonged to before",
  disabled: "it is stopped and disabled",
  kept: "it was left alone, because it was changed since",
};

/** Of a dry run, and of now. */
const dryAnswer: Answer = { ...answer, shape: dryShape };

export const enroll: Answer = {
  told: "What was changed on this host to put it on a channel, or to take that back.",
  commands: ["enroll", "unenroll"],
  keys: {
    always: {
      done: list(
        "one by one, in the order in which it was done",
        record("one thing", {
          always: {
            what: oneOf("the thing", things),
            change: oneOf("what became of it", changes),
            on: text("the path of the file, or the name of the unit"),
            told: text("the same in words, for people"),
          },
        }),
      ),
    },
    sometimes: {
      answer: eitherOf("what a dry run answers now; only of enroll", [wholeAnswer(dryAnswer), wholeAnswer(fault)]),
      hint: text("what to type, where the agent is not installed yet"),
    },
  },
};
