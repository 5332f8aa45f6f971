import * as fc from "fast-check";
import { expect, test } from "vitest";
import { quote } from "../../../src/rules/text/quote.ts";

test.each([
  ["a word", "15.4.6", "15.4.6"],
  ["nothing", "", ""],
  ["lines", "one\r\ntwo\nthree", "one two three"],
  ["tabs and spaces around it", "\t 15.4.6 \n", "15.4.6"],
  ["terminal colours", "\u001b[31mred\u001b[0m", "[31mred [0m"],
  ["a C1 control", "a\u009bb", "a b"],
  ["line separators of Unicode", "a\u2028b\u2029c", "a b c"],
  ["marks that turn the reading direction", "a\u202egnp.exe", "a gnp.exe"],
  ["characters without width", "15.\u200b4.6\ufeff", "15. 4.6"],
  ["half a character", "a\ud83db", "a b"],
  ["letters beyond ASCII", "größer 版本 🙂", "größer 版本 🙂"],
])("quotes %s on one printable line", (_, text, quoted) => {
  expect(quote(text)).toBe(quoted);
});

test("cuts what is longer than sixty characters, and says so", () => {
  expect(quote("x".repeat(60))).toBe("x".repeat(60));
  expect(quote("x".repeat(61))).toBe(`${"x".repeat(60)}…`);
});

test("cuts where it is told", () => {
  expect(quote("15.4.6-rc.1", 6)).toBe("15.4.6…");
});

test("never cuts a character in halves", () => {
  expect(quote("ab🙂🙂", 3)).toBe("ab🙂…");
});

test("any text becomes one short line without controls", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), fc.integer({ min: 1, max: 80 }), (text, longest) => {
      const quoted = quote(text, longest);
      expect(quoted).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      expect(Array.from(quoted).length).toBeLessThanOrEqual(longest + 1);
    }),
  );
});
