import { always, answer, line, list, told } from "../../../rules/shape/answer.ts";

export const retryAnswer = answer<readonly string[]>("What was forgotten, so that the next pass tries again.")({
  cleared: always(
    "what held the agent back, one by one; empty: nothing did",
    list(told("in words, for people", line)),
    (cleared: readonly string[]) => cleared,
  ),
});
