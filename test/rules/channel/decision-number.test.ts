import { expect, test } from "vitest";
import { compareDecisions, parseDecisionNumber } from "../../../src/rules/channel/decision-number.ts";

test.each(["0.0", "1.0", "3.1204", "999999999999999.999999999999999"])("%s numbers a decision", (text) => {
  expect(parseDecisionNumber(text)).toBe(text);
});

test.each([undefined, 3.5, "", "3", "3.", ".3", "03.1", "3.01", "3.1.2", "-3.1", "3.1 ", "3,1", "1000000000000000.0", ["3.1"]])(
  "%j numbers nothing",
  (found) => {
    expect(parseDecisionNumber(found)).toBeUndefined();
  },
);

test.each([
  ["3.4", "3.4", 0],
  ["3.4", "3.10", -1],
  ["4.0", "3.10", 1],
  ["9.9", "10.0", -1],
])("%s beside %s: %i", (left, right, sign) => {
  expect(Math.sign(compareDecisions(parseDecisionNumber(left)!, parseDecisionNumber(right)!))).toBe(sign);
});
