import { always, answer, line, meaningsOf, record, words } from "../../rules/shape/json-answer.ts";
import { serverFaults } from "./faults.ts";

type Told = { readonly code: string; readonly message: string; readonly hint: string };

const fault = record<Told>()({
  code: always(
    "the fault, for programs",
    words<string>(() => meaningsOf(serverFaults)),
    "code",
  ),
  message: always("what was found, for people; the words may change", line, "message"),
  hint: always("what to type or to do next, for people", line, "hint"),
});

export const faultAnswer = answer<Told>("What stopped a command, in place of its own answer; the exit status is the fault's.")({
  fault: always("what went wrong", fault, (found) => found),
});
