import { decode, type Reading } from "../../rules/shape/read.ts";
import { state, type State } from "./state.ts";

/**
 * Checks types strictly. Carries keys of a later release along; in past passes it also keeps an unknown word and reads it as a known one. Words on
 * which a pass acts, in a rejection or the unfinished step, must be known. Otherwise the whole state is unreadable, never half of it.
 */
export function decodeState(found: string): Reading<State> {
  return decode(found, state, "carried");
}
