import type { FaultData } from "../fault/fault.ts";
import { quote } from "../fault/quote.ts";
import { faultTable } from "../fault/table.ts";
import { listOf, object, oneOf, text, type Reader, type UnknownKeys } from "./read.ts";

/** How much of a fault's words is written down; a package manager's complaint may be a page long. */
export type FaultBounds = {
  readonly longestMessage: number;
  readonly longestHint: number;
  readonly longestCause: number;
  readonly mostCauses: number;
};

/** Room enough for any sentence of ours, and small enough that ten passes of them fit the state file. */
export const faultBounds: FaultBounds = { longestMessage: 800, longestHint: 300, longestCause: 300, mostCauses: 3 };

/** A text that `quote` cut ends in an ellipsis; and a character may be two of those that a string counts. */
export function lengthOfQuoted(longest: number): number {
  return 2 * longest + 1;
}

/** The same fault in printable single lines of bounded length. */
export function boundFault(fault: FaultData, bounds: FaultBounds): FaultData {
  return {
    code: fault.code,
    message: quote(fault.message, bounds.longestMessage),
    hint: quote(fault.hint, bounds.longestHint),
    causes: fault.causes.slice(0, bounds.mostCauses).map((cause) => quote(cause, bounds.longestCause)),
  };
}

/** Whatever a fault's words hold when they come in, they are printable from here on. */
export function readFault(unknownKeys: UnknownKeys): Reader<FaultData> {
  const read = object<FaultData>(
    {
      code: oneOf(faultTable),
      message: text(lengthOfQuoted(faultBounds.longestMessage)),
      hint: text(lengthOfQuoted(faultBounds.longestHint)),
      causes: listOf(text(lengthOfQuoted(faultBounds.longestCause)), faultBounds.mostCauses),
    },
    unknownKeys,
  );
  return (value, at) => boundFault(read(value, at), faultBounds);
}
