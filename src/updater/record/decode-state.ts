import { decode, type Reading } from "../../rules/shape/read.ts";
import { state, type State } from "./state.ts";

/**
 * Checks types strictly. A later release may have added keys, which are carried along, and words: in past passes an unknown word is kept
 * and reads as a known one. Words that a pass goes on from, in a rejection or the step in hand, must be known. Otherwise the whole state is
 * unreadable, never half of it.
 */
export function decodeState(found: string): Reading<State> {
  return decode(found, state, "carried");
}
