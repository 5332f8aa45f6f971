import { expect, test } from "vitest";
import { globPattern } from "../../../../src/updater/package/configuration/glob.ts";

test.each([
  ["s[\\]c", "with sets", "s\\c", true],
  ["[uv]*", "without sets", "[uv]c", true],
] as const)("the wildcard %s, %s, means %s: %s", (glob, sets, text, means) => {
  expect(new RegExp(`^${globPattern(glob, sets)}$`).test(text)).toBe(means);
});
