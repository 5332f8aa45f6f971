import { expect, test } from "vitest";
import { globPattern, literally } from "../../../../src/updater/package/configuration/glob.ts";

test.each([
  ["svc-*", "with sets", "svc-ent", true],
  ["svc-???", "with sets", "svc-ent", true],
  ["svc-??", "with sets", "svc-ent", false],
  ["svc.ent", "with sets", "svc-ent", false],
  ["s[uv]c", "with sets", "svc", true],
  ["s[!uv]c", "with sets", "svc", false],
  ["s[!uv]c", "with sets", "sxc", true],
  ["s[\\]c", "with sets", "s\\c", true],
  ["s[c", "with sets", "s[c", true],
  ["[uv]", "without sets", "u", false],
  ["[uv]", "without sets", "[uv]", true],
  ["[uv]*", "without sets", "[uv]c", true],
] as const)("the wildcard %s, %s, means %s: %s", (glob, sets, text, means) => {
  expect(new RegExp(`^${globPattern(glob, sets)}$`).test(text)).toBe(means);
});

test("a text taken literally means itself alone", () => {
  const text = "a.b*c+d?e^f$g{h}(i)|[j]\\k";
  expect(new RegExp(`^${literally(text)}$`).test(text)).toBe(true);
  expect(new RegExp(`^${literally("a.b")}$`).test("axb")).toBe(false);
});
