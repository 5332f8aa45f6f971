import { describe, expect, test } from "vitest";
import { allowedFor } from "../../../src/rules/shape/allowed.ts";
import { check, mostTold, readLevel, refusedAt } from "../../../src/rules/shape/check.ts";
import { decodeValue } from "../../../src/rules/shape/read.ts";
import { accepted, describe as described, refused, refusedAs } from "../../../src/rules/shape/reading.ts";
import {
  allowing,
  byDefault,
  coded,
  count,
  exactly,
  kinds,
  keysOf,
  listOf,
  matching,
  maybe,
  named,
  nothing,
  oneOf,
  openWords,
  optional,
  orElse,
  own,
  parsed,
  record,
  refined,
  someOf,
  text,
  truth,
  whole,
  type Shape,
} from "../../../src/rules/shape/shape.ts";
import { beyondOf } from "../../../src/rules/shape/unknown-keys.ts";
import { encode } from "../../../src/rules/shape/write.ts";

const even = refined(count, (found) => (found % 2 === 0 ? accepted(found) : refusedAs([{ at: "", found: "odd" }])));
const pair = refined(record({ from: count, to: count }), ({ from, to }) =>
  to > from ? accepted({ length: to - from }) : refusedAs([{ at: ".to", found: `${to}`, allowed: "more than from" }]),
);
const letters = matching(/^[a-z]+$/, "lower case letters");
const upper = coded(letters, {
  read: (found) => (found === "no" ? undefined : found.toUpperCase()),
  write: (value) => value.toLowerCase(),
  expected: "",
});
const day = parsed(
  (found) => (found === "mon" ? 1 : undefined),
  "a day",
  () => "mon",
);
const yes = own((raw) => (raw === "yes" ? accepted("yes") : refused(raw)), "yes");
const byName = named(count, { isName: (name) => name !== "bad", name: "any name but bad", most: 2 });
const kept = record({ of: count }, { others: { kind: "kept" } });

describe("what a person wrote is taken", () => {
  test.each<[Shape<unknown>, unknown, unknown]>([
    [text(3), "abc", "abc"],
    [letters, "abc", "abc"],
    [day, "mon", 1],
    [whole(1, 3), 3, 3],
    [truth, false, false],
    [exactly("a"), "a", "a"],
    [oneOf(["a", "b"]), "b", "b"],
    [maybe(count), undefined, undefined],
    [orElse(count, 7), undefined, 7],
    [listOf(count, 2), [1, 2], [1, 2]],
    [upper, "ab", "AB"],
    [even, 4, 4],
    [yes, "yes", "yes"],
    [pair, { from: 1, to: 3 }, { length: 2 }],
    [byName, { toString: 1 }, { toString: 1 }],
    [record({ a: maybe(count), b: optional(count), c: byDefault(count, 1) }), {}, { a: undefined, c: 1 }],
  ])("%#", (shape, raw, value) => {
    expect(check(shape, raw)).toEqual(accepted(value));
  });

  test("with an empty key, where that counts as absent", () => {
    const row = record({ a: maybe(count), b: listOf(record({ c: maybe(count) }), 1) });
    const raw = { a: null, b: [{ c: null }] };
    expect(check(row, raw, "absent")).toEqual(accepted({ a: undefined, b: [{ c: undefined }] }));
    expect(check(row, raw)).toMatchObject({
      refusals: [
        { at: ".a", found: "nothing" },
        { at: ".b[0].c", found: "nothing" },
      ],
    });
  });

  test("with keys that stay, where nobody here knows what they mean", () => {
    const reading = check(kept, { of: 1, later: { deep: [{}] } });
    const value = reading.kind === "value" ? reading.value : {};
    expect(beyondOf(value)).toEqual({ later: { deep: [{}] } });
    expect(encode(kept, value as never)).toEqual({ of: 1, later: { deep: [{}] } });
  });
});

describe("every fault is told where it stands, with what is allowed there", () => {
  const row = record({ name: letters, size: maybe(whole(1, 3)), days: byDefault(listOf(day, 2), []) });
  test.each<[Shape<unknown>, unknown, readonly string[]]>([
    [text(3), "abcd", [': "abcd" (a text of at most 3 characters)']],
    [truth, "true", [': "true" (true or false)']],
    [count, -1, [`: -1 (a whole number from 0 to ${Number.MAX_SAFE_INTEGER})`]],
    [exactly("v1"), "v2", [': "v2" (v1)']],
    [oneOf(["one"]), 1, [": 1 (one)"]],
    [oneOf(["apt", "yum", "zypper"]), "aptt", [': "aptt", did you mean apt? (apt, yum or zypper)']],
    [day, 1, [": 1 (a day)"]],
    [even, 3, [`: odd (${allowedFor(count)})`]],
    [even, "x", [`: "x" (${allowedFor(count)})`]],
    [upper, "no", [': "no" (lower case letters)']],
    [upper, "NO", [': "NO" (lower case letters)']],
    [yes, "no", [': "no" (yes)']],
    [pair, { from: 2, to: 1 }, [".to: 1 (more than from)"]],
    [listOf(day, 2), "mon", [': "mon" (a list of a day)']],
    [listOf(day, 2), ["mon", "mon", "mon"], [": a list of 3 (at most 2)"]],
    [someOf(day, 2), [], [": an empty list (from 1 to 2)"]],
    [listOf(day, 2), ["x", "mon"], ['[0]: "x" (a day)']],
    [byName, [], [`: a list (a mapping of names to ${allowedFor(count)})`]],
    [byName, { a: 1, b: 2, c: 3 }, [": a mapping of 3 (at most 2)"]],
    [byName, { bad: "x" }, [': the name "bad" (any name but bad)', `.bad: "x" (${allowedFor(count)})`]],
    [kept, { off: 1 }, [`.of: nothing, but there is off (${allowedFor(count)})`]],
    [kept, { colour: 1 }, [`.of: nothing (${allowedFor(count)})`]],
    [row, 1, [": 1 (a mapping of name, size, days)"]],
    [
      row,
      { names: "a", size: 4, days: ["mon", "tue"], colour: 1 },
      [
        ".names: unknown key, did you mean name? (name, size, days)",
        ".size: 4 (a whole number from 1 to 3)",
        '.days[1]: "tue" (a day)',
        ".colour: unknown key (name, size, days)",
      ],
    ],
    [row, {}, [".name: nothing (lower case letters)"]],
    [listOf(maybe(day), 1), 1, [": 1 (a list of a day)"]],
    [refined(allowing("two days", listOf(day, 2)), accepted), 1, [": 1 (two days)"]],
    [allowing("three of them", listOf(count, 3)), 1, [": 1 (three of them)"]],
  ])("%#", (shape, raw, faults) => {
    const reading = check(shape, raw);
    const told = reading.kind === "value" ? [] : reading.refusals.map(({ at, found, allowed }) => `${at}: ${found} (${allowed})`);
    expect(told).toEqual(faults);
  });

  test("those beyond the fiftieth without a guess", () => {
    const many = Object.fromEntries(Array.from({ length: 2 * mostTold }, (_, index) => [`nam${index}`, 1]));
    const reading = check(
      listOf(oneOf(["name"]), 200),
      Array.from({ length: 2 * mostTold }, () => "nam"),
    );
    for (const one of [check(row, { name: "a", ...many }), reading]) {
      const found = one.kind === "refused" ? one.refusals : [];
      expect(found).toHaveLength(2 * mostTold);
      expect(found.findLastIndex((fault) => fault.found.includes("did you mean"))).toBeLessThan(mostTold);
    }
  });

  test("nobody describes a key of a file by what only a program writes", () => {
    expect(() => check(kinds({ a: {} }), {})).toThrow("nobody writes a kinds into a file");
    expect(() => allowedFor(nothing)).toThrow("a nothing does not say what it allows");
  });
});

describe("one level of a mapping", () => {
  const keys = { listen: count, public: maybe(letters) };
  test("gives what is right beside what is wrong, and asks for nothing", () => {
    const { values, refusals, passedOver } = readLevel({ listen: "x", public: "a", other: 1 }, keys, { kind: "kept" });
    expect([values, refusals.map(({ at }) => at), passedOver]).toEqual([{ public: "a" }, [".listen"], ["other"]]);
  });

  test("may have keys of another program; what is nearly one of ours is a slip", () => {
    const others = { kind: "others", known: ["listens"] } as const;
    const { refusals, passedOver } = readLevel({ listens: 1, listne: 2, elsewhere: 3 }, keys, others);
    expect(passedOver).toEqual(["listens", "elsewhere"]);
    expect(refusals).toEqual([{ at: ".listne", found: "unknown key, did you mean listen?", allowed: "listen, public" }]);
  });

  test("and a fault at one place of it", () => {
    expect(refusedAt(".to", "x", "more")).toEqual(refusedAs([{ at: ".to", found: described("x"), allowed: "more" }]));
  });
});

describe("what is stored for good", () => {
  const side = byDefault(record({ rules: byDefault(listOf(openWords({ read: 1 }), 4), []) }), { rules: [] });
  const role = record({ name: letters, allow: side, until: maybe(day), note: optional(text(3)) });

  test.each([
    [{ name: "a", allow: { rules: ["read", "write"] }, until: "mon" }],
    [{ name: "a", allow: { later: { x: 1 } }, extra: [{ deep: {} }] }],
    [{ name: "a", note: "abc" }],
  ])("keeps what a later release wrote: %j", (stored) => {
    const reading = decodeValue(stored, role, "kept");
    expect(reading.kind === "read" ? encode(role, reading.value) : reading).toEqual(stored);
  });

  test.each<[Shape<unknown>, unknown, string]>([
    [role, { name: "a", allow: { rules: [""] } }, "allow.rules[0] is not a word known here"],
    [byName, { bad: 1 }, "bad is not any name but bad"],
    [byName, { a: -1 }, `a is not ${allowedFor(count)}`],
    [pair, { from: 2, to: 1 }, "the whole.to is not more than from"],
    [even, 3, `the whole is not ${allowedFor(count)}`],
    [yes, 1, "the whole is not yes"],
    [someOf(count, 2), [], "the whole is not a list of at most 2"],
  ])("%#: one fault is enough", (shape, stored, why) => {
    expect(decodeValue(stored, shape, "kept")).toEqual({ kind: "unreadable", why });
  });

  test("is written as it is read", () => {
    const shape = record({ day, yes, upper, even, by: byName });
    const stored = { day: "mon", yes: "yes", upper: "ab", even: 2, by: { one: 1 } };
    const reading = decodeValue(stored, shape, "kept");
    expect(reading.kind === "read" ? encode(shape, reading.value) : reading).toEqual(stored);
    expect(keysOf(shape)).toEqual(["day", "yes", "upper", "even", "by"]);
    expect(keysOf(kinds({ a: {} }))).toEqual([]);
  });
});
