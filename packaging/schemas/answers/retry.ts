import type { Answer } from "../answer.ts";
import { list, text } from "../shapes.ts";

export const retry: Answer = {
  told: "What was forgotten, so that the next pass tries again.",
  commands: ["retry"],
  keys: { always: { cleared: list("what held the agent back, one by one; empty: nothing did", text("in words, for people")) } },
};
