import { describe, expect, test } from "vitest";
import { decode } from "../../../src/rules/shape/read.ts";
import {
  coded,
  count,
  exactly,
  kinds,
  listOf,
  maybe,
  nothing,
  number,
  object,
  optional,
  orElse,
  parsed,
  printable,
  quoted,
  record,
  text,
  truth,
  words,
  type Shape,
} from "../../../src/rules/shape/shape.ts";

const even = coded(count, {
  read: (found) => (found % 2 === 0 ? found / 2 : undefined),
  write: (half) => half * 2,
  expected: "an even count",
});
const shouted = parsed((found) => (found === found.toUpperCase() ? found : undefined), "in capitals");

describe("a value", () => {
  test.each<readonly [Shape<unknown>, unknown, unknown]>([
    [text(3), "abc", "abc"],
    [quoted(3), "a\nb", "a\nb"],
    [printable(3), "a\nbcd", "a b…"],
    [shouted, "A", "A"],
    [number, -0.5, -0.5],
    [count, 7, 7],
    [truth, false, false],
    [object, { any: [1] }, { any: [1] }],
    [nothing, 7, undefined],
    [exactly("a"), "a", "a"],
    [words({ a: 0, b: 0 }), "b", "b"],
    [words({ a: 0, b: 0 }, "a"), "b", "b"],
    [listOf(count, 2), [1, 2], [1, 2]],
    [even, 6, 3],
    [record({ a: maybe(count) }), {}, { a: undefined }],
    [record({ a: orElse(count, 5) }), {}, { a: 5 }],
    [record({ a: count }, { schema: 3 }), { schema: 3, a: 1 }, { a: 1 }],
    [kinds({ a: { x: count }, b: {} }), { kind: "a", x: 1 }, { kind: "a", x: 1 }],
    [kinds({ a: { x: count }, b: {} }), { kind: "b", x: 1 }, { kind: "b" }],
  ])("is read as it is meant: %#", (shape, found, value) => {
    expect(decode(JSON.stringify(found), shape, "ignored")).toEqual({ kind: "read", value });
  });

  test("that is optional and not there has no key either", () => {
    const reading = decode("{}", record({ a: optional(count), b: maybe(count) }), "ignored");
    expect(reading.kind === "read" && Object.keys(reading.value)).toEqual(["b"]);
  });

  test.each<readonly [Shape<unknown>, unknown, string]>([
    [text(3), "abcd", "the whole is not a text of at most 3 characters"],
    [quoted(3), "abcdefgh", "the whole is not a text of at most 7 characters"],
    [printable(3), 7, "the whole is not a text of at most 7 characters"],
    [shouted, "a", "the whole is not in capitals"],
    [shouted, 7, "the whole is not in capitals"],
    [number, null, "the whole is not a number"],
    [count, -1, "the whole is not a whole number from 0 to 9007199254740991"],
    [count, 2 ** 53, "the whole is not a whole number from 0 to 9007199254740991"],
    [truth, 0, "the whole is not true or false"],
    [object, [], "the whole is not an object"],
    [exactly("a"), "b", "the whole is not a"],
    [exactly(1), "1", "the whole is not 1"],
    [words({ a: 0 }), "constructor", "the whole is not a word known here"],
    [words({ a: 0 }, "a"), "b", "the whole is not a word known here"],
    [record({ w: words({ a: 0 }, "a") }), { w: "b".repeat(65) }, "w is not a word known here"],
    [record({ w: words({ a: 0 }, "a") }), { w: "" }, "w is not a word known here"],
    [listOf(count, 2), [1, 2, 3], "the whole is not a list of at most 2"],
    [listOf(count, 2), {}, "the whole is not a list"],
    [listOf(count, 2), [0, "a"], "[1] is not a whole number from 0 to 9007199254740991"],
    [listOf(listOf(count, 2), 2), [[], [1, -1]], "[1][1] is not a whole number from 0 to 9007199254740991"],
    [even, 3, "the whole is not an even count"],
    [record({ a: record({ b: listOf(record({ c: truth }), 2) }) }), { a: { b: [{}] } }, "a.b[0].c is not true or false"],
    [record({ a: count }), [], "the whole is not an object"],
    [record({ a: maybe(count) }), { a: null }, "a is not a whole number from 0 to 9007199254740991"],
    [record({ a: count }, { schema: 3 }), { a: "x" }, "schema is not 3"],
    [kinds({ a: {}, b: {} }), { kind: "c" }, "kind is not one of a, b"],
    [record({ k: kinds({ a: {}, b: {} }) }), { k: {} }, "k.kind is not one of a, b"],
    [kinds({ a: { x: count } }, ["a"]), { kind: "c" }, "kind is not one of a"],
  ])("that is none says where it stands, and what is allowed there: %#", (shape, found, why) => {
    expect(decode(JSON.stringify(found), shape, "carried")).toEqual({ kind: "unreadable", why });
  });

  test("that is no JSON is unreadable, and its text is not shown", () => {
    expect(decode(" ", count, "ignored")).toEqual({ kind: "unreadable", why: "it is empty" });
    expect(decode("secret", count, "ignored")).toEqual({ kind: "unreadable", why: "it is not JSON" });
  });

  test("in a bug's way is not taken for a malformed one", () => {
    const broken = parsed((): never => {
      throw new TypeError("a bug");
    }, "");
    expect(() => decode('"a"', broken, "ignored")).toThrow("a bug");
    expect(() => decode('{"later":{"key":"a"}}', record({ key: broken }), "ignored")).toThrow("a bug");
  });
});

describe("a word of a later release", () => {
  const moods = words({ calm: 0, wild: 0 }, "wild");
  const ends = kinds({ well: {}, ill: { why: text(9) } }, ["ill", { kind: "well" }]);

  test("has one that is known stand for it", () => {
    const mood = record({ mood: maybe(moods) });
    expect(decode('{"mood":"odd"}', mood, "ignored")).toMatchObject({ value: { mood: "wild" } });
    expect(decode('{"mood":"calm","later":{"mood":"odd"}}', mood, "ignored")).toMatchObject({ value: { mood: "calm" } });
    expect(decode('{"mood":"odd","later":{"mood":"calm"}}', mood, "ignored")).toMatchObject({ value: { mood: "calm" } });
  });

  test("names a kind that is read like one that is known, or as one that stands for it", () => {
    expect(decode('{"kind":"lost","why":"w"}', ends, "ignored")).toEqual({ kind: "read", value: { kind: "ill", why: "w" } });
    expect(decode('{"kind":"lost"}', ends, "ignored")).toEqual({ kind: "read", value: { kind: "well" } });
    expect(decode('{"kind":"ill","why":"w","later":{"kind":"well"}}', ends, "ignored")).toMatchObject({
      value: { kind: "well" },
    });
  });

  test("counts for nothing below the record that it stands in", () => {
    const outer = record({ inner: maybe(record({ mood: words({ calm: 0 }) })), mood: moods });
    expect(decode('{"inner":{"mood":"odd"},"mood":"calm"}', outer, "ignored").kind).toBe("unreadable");
  });
});
