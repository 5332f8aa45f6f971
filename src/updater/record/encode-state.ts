import { encode } from "../../rules/shape/write.ts";
import { longestStateBytes, state, type State } from "./state.ts";

/** The state as written to disk. Every text and list is bounded: a state longer than its cap could not be read again. */
export function encodeState(written: State): string {
  const encoded = print(written);
  // Keys that are only carried go first. A clone drops them.
  return new TextEncoder().encode(encoded).length <= longestStateBytes ? encoded : print(structuredClone(written));
}

function print(written: State): string {
  return `${JSON.stringify(encode(state, written), undefined, 2)}\n`;
}
