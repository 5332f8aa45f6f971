import { encode } from "../../rules/shape/write.ts";
import { longestStateBytes, state, type State } from "./state.ts";

/** The state as written to the disk. Every text and list is limited, because a state longer than its cap could not be read again. */
export function encodeState(written: State): string {
  const encoded = print(written);
  // If the text is too long, drops the keys that are only carried. A clone has none of them.
  return new TextEncoder().encode(encoded).length <= longestStateBytes ? encoded : print(structuredClone(written));
}

function print(written: State): string {
  return `${JSON.stringify(encode(state, written), undefined, 2)}\n`;
}
