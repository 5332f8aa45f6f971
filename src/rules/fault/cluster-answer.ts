import { always, answer, line, list, meaningsOf, record, words, type Shown } from "../shape/json-answer.ts";
import type { Wrong } from "./fault.ts";
import { clusterFaultTable } from "./cluster-table.ts";
import type { ToldFault } from "./tell-fault.ts";

export type FaultJson = {
  readonly schema: 1;
  readonly fault: Pick<ToldFault, "message" | "hint" | "wrong"> & { readonly code: string };
};

const wrong = record<Wrong>("one thing that is wrong with what was given")({
  at: always("where, for example line 7: .spec.allow.rules[0].verbs[1]", line, "at"),
  found: always("what stands there", line, "found"),
  allowed: always("what may stand there", line, "allowed"),
});

/** What a program of the cluster answers in JSON where a fault stops it. `shared`: those that it has from the updater's table. */
export function faultAnswerWith(shared: Readonly<Record<string, { readonly meaning: string }>>): Shown<ToldFault, FaultJson> {
  const fault = record<ToldFault>()({
    code: always(
      "the fault, for programs",
      words<string>(() => meaningsOf({ ...shared, ...clusterFaultTable })),
      "code",
    ),
    message: always("what was found, for people; the words may change", line, "message"),
    hint: always("what to type or to do next, for people", line, "hint"),
    wrong: always("every fault of what was given, at once", list(wrong), "wrong"),
  });
  return answer<ToldFault>("What stopped a command, in place of its own answer; the exit status is the fault's.")({
    fault: always("what went wrong", fault, (found) => found),
  });
}
