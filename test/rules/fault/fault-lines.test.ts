import { expect, test } from "vitest";
import { faultLines } from "../../../src/rules/fault/fault-lines.ts";

const wrong = { at: ".spec", found: "a list", allowed: "a mapping" };

test("what, every fault below it, and what to type next", () => {
  expect(faultLines({ message: "two lines:\nof it", hint: "type this", wrong: [wrong] })).toBe(
    "error: two lines:\n  of it\n  .spec: a list\n    allowed: a mapping\nnext: type this\n",
  );
});

test("without a place or without a rule it says what there is", () => {
  expect(
    faultLines({
      message: "one",
      hint: "go on",
      wrong: [
        { ...wrong, at: "" },
        { ...wrong, allowed: "" },
      ],
    }),
  ).toBe("error: one\n  a list\n    allowed: a mapping\n  .spec: a list\nnext: go on\n");
});

test("more than anybody corrects in one go are counted", () => {
  const told = faultLines({ message: "many", hint: "go on", wrong: Array.from({ length: 103 }, () => wrong) });
  expect(told.match(/ {2}\.spec: a list/g)?.length).toBe(100);
  expect(told).toContain("\n  and 3 more\nnext:");
});
