import { parsed, type Shape } from "../shape/shape.ts";

/** The header in which a channel that somebody steers numbers what it decided: the number rises with each change of mind. */
export const decisionHeader = "x-svc-decision";

declare const decisionNumberBrand: unique symbol;

/** An epoch and a count within it, `3.1204`: a restored server begins a higher epoch. */
export type DecisionNumber = string & { readonly [decisionNumberBrand]: true };

/** Fifteen digits are whole numbers still, and more than anybody decides. */
const numberPattern = /^(?:0|[1-9]\d{0,14})\.(?:0|[1-9]\d{0,14})$/;

/** Anything else numbers nothing. */
export function parseDecisionNumber(found: unknown): DecisionNumber | undefined {
  return typeof found === "string" && numberPattern.test(found) ? (found as DecisionNumber) : undefined;
}

export const decisionNumber: Shape<DecisionNumber> = parsed(parseDecisionNumber, "a decision number");

/** Negative where the left one was decided earlier. */
export function compareDecisions(left: DecisionNumber, right: DecisionNumber): number {
  const [epoch, count] = parts(left);
  const [otherEpoch, otherCount] = parts(right);
  return epoch === otherEpoch ? count - otherCount : epoch - otherEpoch;
}

function parts(number: DecisionNumber): readonly [number, number] {
  const [epoch, count] = number.split(".");
  return [Number(epoch), Number(count)];
}
