import { parsed, type Shape } from "../shape/shape.ts";

/** The header with the number of a steered channel's decision. Each new decision has a higher number. */
export const decisionHeader = "x-svc-decision";

/** The server sends `yes` while it has not heard from auth for so long that its decision may be outdated. */
export const unconfirmedHeader = "x-svc-unconfirmed";

declare const decisionNumberBrand: unique symbol;

/** An epoch and a count within it, such as `3.1204`. A restored server begins a higher epoch. */
export type DecisionNumber = string & { readonly [decisionNumberBrand]: true };

/** Numbers of up to fifteen digits are exact integers, and no server needs more. */
const numberPattern = /^(?:0|[1-9]\d{0,14})\.(?:0|[1-9]\d{0,14})$/;

/** Undefined for any other text. */
export function parseDecisionNumber(found: unknown): DecisionNumber | undefined {
  return typeof found === "string" && numberPattern.test(found) ? (found as DecisionNumber) : undefined;
}

export const decisionNumber: Shape<DecisionNumber> = parsed(parseDecisionNumber, "a decision number");

/** Negative if the left decision is the earlier one. */
export function compareDecisions(left: DecisionNumber, right: DecisionNumber): number {
  const [epoch, count] = parts(left);
  const [otherEpoch, otherCount] = parts(right);
  return epoch === otherEpoch ? count - otherCount : epoch - otherEpoch;
}

function parts(number: DecisionNumber): readonly [number, number] {
  const [epoch, count] = number.split(".");
  return [Number(epoch), Number(count)];
}
