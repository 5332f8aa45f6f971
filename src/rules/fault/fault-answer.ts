import { always, answer, line, list, recordOf } from "../shape/answer.ts";
import { words, type Shape } from "../shape/shape.ts";
import { asWritten } from "../shape/unknown-keys.ts";
import type { Wrong } from "./fault.ts";

type Told = { readonly code: string; readonly message: string; readonly hint: string };
type ToldWithWrong = Told & { readonly wrong: readonly Wrong[] };
/** The codes that the program can end with. */
type Faults = Readonly<Record<string, { readonly meaning: string }>>;

export type FaultJson = { readonly schema: 1; readonly fault: Told };

/** A program's JSON answer when a fault stops it. */
export function faultAnswer(faults: Faults): Shape<Told, FaultJson> {
  return answerWith(faultRecord(faults));
}

/** The answer of a program that lists each wrong place of its input. */
export function faultAnswerWithWrong(
  faults: Faults,
): Shape<ToldWithWrong, { readonly schema: 1; readonly fault: ToldWithWrong }> {
  const wrong = recordOf<Wrong>("one thing that is wrong with what was given")({
    at: always("where, for example line 7: .spec.allow.rules[0].verbs[1]", line, "at"),
    found: always("what stands there", line, "found"),
    allowed: always("what may stand there", line, "allowed"),
  });
  const each = always<ToldWithWrong, readonly Wrong[], readonly Wrong[]>(
    "every fault of what was given, at once",
    list(wrong),
    "wrong",
  );
  return answerWith(recordOf<ToldWithWrong>()({ ...keysOf(faults), wrong: each }));
}

export function faultRecord(faults: Faults): Shape<Told, Told> {
  return recordOf<Told>("what went wrong")(keysOf(faults));
}

// oxlint-disable-next-line typescript/explicit-function-return-type
function keysOf(faults: Faults) {
  return {
    code: always<Told, string, string>("the fault, for programs", words<string>(faults), (found) => asWritten(found, "code")),
    message: always<Told, string, string>("what was found, for people; the words may change", line, "message"),
    hint: always<Told, string, string>("what to type or to do next, for people", line, "hint"),
  };
}

function answerWith<V, J>(fault: Shape<V, J>): Shape<V, { readonly schema: 1; readonly fault: J }> {
  return answer<V>("What stopped a command, in place of its own answer; the exit status is the fault's.")({
    fault: always("what went wrong", fault, (found) => found),
  });
}
