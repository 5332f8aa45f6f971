import fc from "fast-check";
import { expect, test } from "vitest";
import { codeAt, makeSecret, parseBase32, printBase32, stepAt, stepOf } from "../../../src/cluster/identity/one-time-code.ts";

const secret = Buffer.from("12345678901234567890");

/** RFC 6238, appendix B, for SHA-1: there with eight digits, of which ours are the last six. */
test.each([
  [59, "94287082"],
  [1_111_111_109, "07081804"],
  [1_111_111_111, "14050471"],
  [1_234_567_890, "89005924"],
  [2_000_000_000, "69279037"],
  [20_000_000_000, "65353130"],
])("at %d the code is that of the RFC", (at, code) => {
  expect(codeAt(secret, stepAt(at))).toBe(code.slice(2));
});

/** RFC 4226, appendix D. */
test.each(
  ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"].map(
    (code, count) => [count, code] as const,
  ),
)("at count %d it is that of the RFC before", (count, code) => {
  expect(codeAt(secret, count)).toBe(code);
});

/** RFC 4648, section 10, without padding. */
test.each([
  ["f", "MY"],
  ["fo", "MZXQ"],
  ["foo", "MZXW6"],
  ["foob", "MZXW6YQ"],
  ["fooba", "MZXW6YTB"],
  ["foobar", "MZXW6YTBOI"],
])("%j is %s in base32", (text, printed) => {
  expect(printBase32(Buffer.from(text))).toBe(printed);
  expect(Buffer.from(parseBase32(printed) ?? []).toString()).toBe(text);
});

test("what is printed in base32 is read as what it was, and nothing else is read", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 64 }), (bytes) => {
      expect(parseBase32(printBase32(bytes))).toEqual(Uint8Array.from(bytes));
    }),
  );
  for (const wrong of ["", "MY======", "my", "M1", "M ", "A".repeat(129)]) expect(parseBase32(wrong)).toBeUndefined();
});

test("a code is of the step of now, the one before or the one after", () => {
  const own = printBase32(secret);
  const now = 1_767_614_400;
  const steps = [-2, -1, 0, 1, 2].map((away) => stepOf(codeAt(secret, stepAt(now) + away), own, now));
  expect(steps).toEqual([undefined, stepAt(now) - 1, stepAt(now), stepAt(now) + 1, undefined]);
  expect(stepOf(codeAt(secret, stepAt(now)), "not base32", now)).toBeUndefined();
  expect(stepOf(codeAt(secret, 0), own, 0)).toBe(0);
});

test("a secret has 160 bits, and is another one each time", () => {
  const all = Array.from({ length: 100 }, makeSecret);
  expect(new Set(all).size).toBe(100);
  expect(all.every((one) => parseBase32(one)?.length === 20)).toBe(true);
});
