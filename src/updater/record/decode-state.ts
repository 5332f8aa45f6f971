import { decode, type Reading } from "../../rules/shape/read.ts";
import { state, type State } from "./state.ts";

/**
 * Strict in types. A later release may have added keys, which are carried along, and words: in what is past these are kept as they
 * are, and something that is known here stands for them. What a pass goes on from has to be understood: a rejection, a step in
 * hand. Anything else is unreadable as a whole: half a state is none.
 */
export function decodeState(found: string): Reading<State> {
  return decode(found, state, "carried");
}
