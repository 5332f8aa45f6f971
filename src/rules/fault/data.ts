import { listOf, printable, record, words, type Of } from "../shape/shape.ts";
import { quote } from "../text/quote.ts";
import { faultTable, type FaultCode } from "./table.ts";

/** How much of a fault's words is written down; a package manager's complaint may be a page long. */
export type FaultBounds = {
  readonly longestMessage: number;
  readonly longestHint: number;
  readonly longestCause: number;
  readonly mostCauses: number;
};

/** Room enough for any sentence of ours, and small enough that ten passes of them fit the state file. */
export const faultBounds: FaultBounds = { longestMessage: 800, longestHint: 300, longestCause: 300, mostCauses: 3 };

export const fault = faultRecord();
/** Of what is past: one of a later release is kept, and its own words say what it was. */
export const pastFault: typeof fault = faultRecord("os-failed");

/** Whatever a fault's words hold when they come in, they are printable from here on. */
function faultRecord(later?: FaultCode) {
  return record({
    code: words(faultTable, later),
    message: printable(faultBounds.longestMessage),
    hint: printable(faultBounds.longestHint),
    causes: listOf(printable(faultBounds.longestCause), faultBounds.mostCauses),
  });
}

/** The same fault in printable single lines of bounded length. */
export function boundFault(found: Of<typeof fault>, bounds: FaultBounds): Of<typeof fault> {
  const { code, message, hint, causes } = found;
  return {
    code,
    message: quote(message, bounds.longestMessage),
    hint: quote(hint, bounds.longestHint),
    causes: causes.slice(0, bounds.mostCauses).map((cause) => quote(cause, bounds.longestCause)),
  };
}
