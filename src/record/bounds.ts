import type { FaultData } from "../fault/fault.ts";
import { quote } from "../fault/quote.ts";
import { faultTable } from "../fault/table.ts";
import { carriedOver } from "../shape/beyond.ts";
import { firstMost, nearest } from "./first-words.ts";
import { listOf, object, oneOf, text, type Reader, type Rules } from "./read.ts";
import type { NotOfTheFirst } from "./write.ts";

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
  const { code, message, hint, causes } = fault;
  const bound = {
    code,
    message: quote(message, bounds.longestMessage),
    hint: quote(hint, bounds.longestHint),
    causes: causes.slice(0, bounds.mostCauses).map((cause) => quote(cause, bounds.longestCause)),
  };
  return carriedOver(bound, fault);
}

export const faultNotOfTheFirst: NotOfTheFirst = { words: { code: nearest.fault }, most: { causes: firstMost.causes } };

/** Whatever a fault's words hold when they come in, they are printable from here on. */
export function readFault(rules: Rules<FaultData>): Reader<FaultData> {
  const read = object<FaultData>(
    {
      code: oneOf(faultTable),
      message: text(lengthOfQuoted(faultBounds.longestMessage)),
      hint: text(lengthOfQuoted(faultBounds.longestHint)),
      causes: listOf(text(lengthOfQuoted(faultBounds.longestCause)), faultBounds.mostCauses),
    },
    rules,
  );
  return (value, at) => boundFault(read(value, at), faultBounds);
}
