import { listOf, printable, record, words, type Of } from "../shape/shape.ts";
import { quote } from "../text/quote.ts";
import { faultTable, type FaultCode } from "./table.ts";

/** How much of a fault is stored, because a package manager may complain for a page. */
export type FaultBounds = {
  readonly longestMessage: number;
  readonly longestHint: number;
  readonly longestCause: number;
  readonly mostCauses: number;
};

/** All our sentences fit into these bounds, and ten passes with faults fit into the state file. */
export const faultBounds: FaultBounds = { longestMessage: 800, longestHint: 300, longestCause: 300, mostCauses: 3 };

export const fault = faultRecord();
/** A past fault. An unknown code reads as os-failed and keeps its words. */
export const pastFault: typeof fault = faultRecord("os-failed");

function faultRecord(later?: FaultCode) {
  return record({
    code: words(faultTable, later),
    message: printable(faultBounds.longestMessage),
    hint: printable(faultBounds.longestHint),
    causes: listOf(printable(faultBounds.longestCause), faultBounds.mostCauses),
  });
}

/** Makes each text of a fault one printable line of limited length. */
export function boundFault(found: Of<typeof fault>, bounds: FaultBounds): Of<typeof fault> {
  const { code, message, hint, causes } = found;
  return {
    code,
    message: quote(message, bounds.longestMessage),
    hint: quote(hint, bounds.longestHint),
    causes: causes.slice(0, bounds.mostCauses).map((cause) => quote(cause, bounds.longestCause)),
  };
}
