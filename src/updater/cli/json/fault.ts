import type { FaultData } from "../../../rules/fault/fault.ts";
import { faultTable } from "../../../rules/fault/table.ts";
import { asWritten } from "../../../rules/shape/unknown-keys.ts";
import { always, answer, line, meaningsOf, record, words, type JsonOf } from "../../../rules/shape/json-answer.ts";

export const fault = record<FaultData>("what went wrong")({
  code: always(
    "the fault, for programs",
    words(() => meaningsOf<string>(faultTable)),
    (found) => asWritten(found, "code"),
  ),
  message: always("what was found, for people; the words may change", line, "message"),
  hint: always("what to type or to do next, for people", line, "hint"),
});

/** What takes the place of any answer. */
export const faultAnswer = answer<FaultData>(
  "What stopped a command, in place of its own answer; the exit status is the fault's.",
)({ fault: always("what went wrong", fault, (found) => found) });
export type FaultJson = JsonOf<typeof faultAnswer>;

export function faultJson(found: FaultData): FaultJson {
  return faultAnswer.write(found);
}
