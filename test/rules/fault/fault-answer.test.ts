import { schemaOf } from "../../../src/rules/shape/schema.ts";
import { encode } from "../../../src/rules/shape/write.ts";
import { expect, test } from "vitest";
import { faultAnswer, faultAnswerWithWrong } from "../../../src/rules/fault/fault-answer.ts";

const faults = { "it-failed": { meaning: "it is `broken`" } };
const told = { code: "it-failed", message: "it is broken", hint: "mend it", wrong: [{ at: ".a", found: "1", allowed: "2" }] };
const { wrong, ...words } = told;

test("an answer tells the fault's code and words, and of files each wrong place", () => {
  expect(encode(faultAnswer(faults), told)).toEqual({ schema: 1, fault: words });
  expect(encode(faultAnswerWithWrong(faults), told)).toEqual({ schema: 1, fault: { ...words, wrong } });
});

test.each([
  [faultAnswer(faults), ["code", "message", "hint"]],
  [faultAnswerWithWrong(faults), ["code", "message", "hint", "wrong"]],
])("its schema knows the program's codes", (answer, required) => {
  expect(schemaOf(answer)).toMatchObject({
    properties: {
      fault: { required, properties: { code: { oneOf: [{ const: "it-failed", description: "it is broken" }] } } },
    },
  });
});
