import { schemaOf } from "../../../rules/shape/schema.ts";
import type { Done } from "../../enroll/done.ts";
import { always, answer, line, list, recordOf, sometimes } from "../../../rules/shape/answer.ts";
import { words, type Shape } from "../../../rules/shape/shape.ts";
import { dryAnswer, type AnswerJson } from "./answer.ts";
import type { FaultJson } from "../../../rules/fault/fault-answer.ts";
import { faultAnswer } from "./fault.ts";

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

const done = recordOf<Done>("one thing")({
  what: always("the thing", words(things), "what"),
  change: always("what became of it", words(changes), "change"),
  on: always("the path of the file, or the name of the unit", line, "on"),
  told: always("the same in words, for people", line, "told"),
});

export type EnrollAnswer = {
  readonly done: readonly Done[];
  /** The answer of a dry run after the enrolment. */
  readonly answer?: AnswerJson | FaultJson | undefined;
  /** The command to type if the agent is not installed yet. */
  readonly hint?: string | undefined;
};

const nowAnswer: Shape<AnswerJson | FaultJson, AnswerJson | FaultJson> = {
  form: { kind: "object" },
  get schema() {
    return { oneOf: [schemaOf(dryAnswer), schemaOf(faultAnswer)] };
  },
};

export const enrollAnswer = answer<EnrollAnswer>("What was changed on this host to put it on a channel, or to take that back.")({
  done: always("one by one, in the order in which it was done", list(done), "done"),
  answer: sometimes("what a dry run answers now; only of enroll", nowAnswer, "answer"),
  hint: sometimes("what to type, where the agent is not installed yet", line, "hint"),
});
