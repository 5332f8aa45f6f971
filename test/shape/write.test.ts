import { describe, expect, test } from "vitest";
import { decode } from "../../src/shape/read.ts";
import { coded, count, kinds, listOf, maybe, optional, orElse, quoted, record, text, words } from "../../src/shape/shape.ts";
import { encode, type First } from "../../src/shape/write.ts";

describe("a value", () => {
  test("is written in the order of its description, within its bounds, and without what has nothing to say", () => {
    const shape = record(
      {
        name: quoted(3),
        none: maybe(count),
        nor: optional(count),
        first: listOf(count, 2),
        last: listOf(count, 2, "last"),
        quiet: orElse(count, 0, (found) => found === 0),
        half: coded(count, { read: (found) => found / 2, write: (half: number) => half * 2, expected: "" }),
        end: kinds({ well: { at: count }, ill: {} }),
      },
      { schema: 1 },
    );
    const value = {
      end: { kind: "well", at: 7 } as const,
      half: 2,
      quiet: 0,
      last: [1, 2, 3],
      first: [1, 2, 3],
      none: undefined,
      name: "a\nbcd",
    };
    expect(JSON.stringify(encode(shape, value))).toBe(
      '{"schema":1,"name":"a b…","first":[1,2],"last":[2,3],"half":4,"end":{"kind":"well","at":7}}',
    );
  });
});

const reasons = { rejected: 0, alternating: 0, odd: 0 };
const shape = record({ why: words(reasons), told: text(20) });
const first: First = { nearest: new Map([[reasons, { alternating: "rejected" }]]), most: { kept: 2 } };

describe("a word that came after the first release", () => {
  test("is written beside the nearest that the first release knows", () => {
    expect(encode(shape, { why: "alternating", told: "t" }, first)).toEqual({
      why: "rejected",
      told: "t",
      later: { why: "alternating" },
    });
    expect(encode(shape, { why: "rejected", told: "alternating" }, first)).toEqual({ why: "rejected", told: "alternating" });
  });

  test("is found behind whatever may be missing", () => {
    const some = record({ a: maybe(words(reasons)), b: orElse(words(reasons), "odd"), c: optional(words(reasons)) });
    const written = encode(some, { a: "alternating", b: "alternating", c: "alternating" }, first);
    expect(written).toMatchObject({ a: "rejected", b: "rejected", c: "rejected" });
  });

  test("may be a kind", () => {
    const ends = kinds({ well: {}, better: { by: count } });
    const older: First = { nearest: new Map([[ends, { better: "well" }]]), most: {} };
    const written = encode(record({ end: ends }), { end: { kind: "better", by: 2 } }, older);
    expect(written).toEqual({ end: { kind: "well", by: 2, later: { kind: "better" } } });
  });

  test("is what is read by a release that knows it", () => {
    const written = JSON.stringify(encode(shape, { why: "alternating", told: "t" }, first));
    expect(decode(written, shape, "carried")).toMatchObject({ kind: "read", value: { why: "alternating" } });
    const older = record({ why: words({ rejected: 0 }), told: text(20) });
    expect(decode(written, older, "carried")).toMatchObject({ kind: "read", value: { why: "rejected" } });
  });
});

test("a list that is longer than the first release takes is written whole beside as many rows as that one takes", () => {
  const lists = record({ kept: listOf(count, 9), other: listOf(count, 9) });
  expect(encode(lists, { kept: [1, 2, 3], other: [1, 2, 3] }, first)).toEqual({
    kept: [1, 2],
    other: [1, 2, 3],
    later: { kept: [1, 2, 3] },
  });
  expect(encode(lists, { kept: [1, 2], other: [] }, first)).toEqual({ kept: [1, 2], other: [] });
});

test("what is carried never takes the place of what is known", () => {
  const name = record({ name: text(9) });
  const later = '{"name":"a","later":{"name":7,"size":1},"__proto__":{"x":1},"more":2}';
  const found = decode(later, name, "carried");
  if (found.kind === "unreadable") throw new Error(found.why);
  expect(JSON.stringify(encode(name, found.value))).toBe(later);
  const numbered = record({ name: text(9) }, { schema: 1 });
  const again = decode('{"schema":1,"name":"a","more":2}', numbered, "carried");
  if (again.kind === "unreadable") throw new Error(again.why);
  expect(JSON.stringify(encode(numbered, again.value))).toBe('{"schema":1,"name":"a","more":2}');
});

test("what changes key by key keeps what it does not know, and not what was meant by its keys", () => {
  const changing = record({ name: text(9) }, { changes: "by key" });
  const found = decode('{"name":"a","later":{"name":7,"size":1},"more":2}', changing, "carried");
  if (found.kind === "unreadable") throw new Error(found.why);
  expect(JSON.stringify(encode(changing, found.value))).toBe('{"name":"a","later":{"size":1},"more":2}');
});
