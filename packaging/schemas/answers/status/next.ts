import { faultTable } from "../../../../src/fault/table.ts";
import type { Unknown } from "../../../../src/status/next.ts";
import { decisionShapes, meaningsOf } from "../../parts.ts";
import { eitherOf, exactly, oneOf, record, text, type JsonSchema } from "../../shapes.ts";

const unknowns: Readonly<Record<Unknown["why"], string>> = {
  "never-asked": "no pass has had an answer of the channel yet",
  "other-channel": "the last answer was another channel's than the one that is configured now",
  "state-denied": "this user may not read what earlier passes left",
  "state-unreadable": "what earlier passes left cannot be read",
  "schedule-denied": "this user may not read the schedule",
};

export const next: JsonSchema = eitherOf("what a pass would decide now, by the last answer of the channel", [
  ...decisionShapes,
  record("it would come to no decision", {
    always: {
      kind: exactly("a fault ends it", "stop"),
      why: oneOf("the code of the fault, for programs", meaningsOf(faultTable)),
      told: text("the fault, for people; the words may change"),
      lift: text("what to type or to do next, for people"),
    },
  }),
  record("it cannot be told", {
    always: {
      kind: exactly("it cannot be told", "unknown"),
      why: oneOf("the reason, for programs", unknowns),
      told: text("the reason in words, for people; the words may change"),
    },
    sometimes: { lift: text("what to type to know it") },
  }),
]);
