import { expect, test } from "vitest";
import { crossesMajors } from "../../../src/rules/decide/downgrade-gate.ts";
import { version } from "../version/given.ts";

test.each([
  ["15.4.5", "15.9.0", false],
  ["15.4.5", "16.0.0", false],
  ["15.4.5", "17.0.0", true],
  ["15.4.5", "17.0.0-rc.1", true],
  ["15.4.5", "13.0.0", false],
])("from %s to %s skips a major version: %s", (from, to, isSkip) => {
  expect(crossesMajors(version(from), version(to))).toBe(isSkip);
});
