import { expect, test } from "vitest";
import { isSearchDue } from "../../../src/rules/decide/search.ts";
import { now } from "../../updater/plan/given.ts";

test.each([
  ["never yet", undefined, "timer", true],
  ["just now", now, "timer", false],
  ["less than an hour ago", now - 3599, "timer", false],
  ["an hour ago", now - 3600, "timer", true],
  ["at a time to come", now + 1, "timer", true],
  ["just now, and somebody asks for a move", now, "now", true],
] as const)("another package is searched for where it was searched for %s: %o", (_, searchedAt, when, isDue) => {
  expect(isSearchDue(searchedAt, now, { when })).toBe(isDue);
});
