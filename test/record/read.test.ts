import { expect, test } from "vitest";
import { object, readJson } from "../../src/record/read.ts";

test("a bug in a reader is not taken for a malformed text", () => {
  const broken = (): never => {
    throw new TypeError("a bug");
  };
  expect(() => readJson("{}", broken)).toThrow("a bug");
  expect(() => readJson('{"later":{"key":1}}', object({ key: broken }))).toThrow("a bug");
});
