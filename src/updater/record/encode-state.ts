import { encode } from "../../rules/shape/write.ts";
import { longestStateBytes, state, type State } from "./state.ts";

/** The state as it lies on disk. Every text and list is bounded: a state that outgrew its cap could not be read again. */
export function encodeState(written: State): string {
  const encoded = print(written);
  // What is only carried is the first to go. A clone is without it.
  return new TextEncoder().encode(encoded).length <= longestStateBytes ? encoded : print(structuredClone(written));
}

function print(written: State): string {
  return `${JSON.stringify(encode(state, written), undefined, 2)}\n`;
}
