import { describe, expect, test } from "vitest";
import { decodeState } from "../../src/record/decode-state.ts";
import { nearest } from "../../src/record/first-words.ts";
import { object, oneOf, readJson, text, type Reader } from "../../src/record/read.ts";
import { writing } from "../../src/record/write.ts";

const words = { why: { alternating: "rejected" } };

describe("a word that came after the first release", () => {
  test("is written beside the nearest that the first release knows", () => {
    expect(writing({}, { why: "alternating", told: "t" }, { words })).toEqual({
      why: "rejected",
      told: "t",
      later: { why: "alternating" },
    });
    expect(writing({}, { why: "rejected", told: "alternating" }, { words })).toEqual({ why: "rejected", told: "alternating" });
  });

  test("is what is read by a release that knows it", () => {
    const read: Reader<{ why: string }> = object({ why: oneOf({ rejected: 0, alternating: 0 }) });
    const written = JSON.stringify(writing({}, { why: "alternating" }, { words }));
    expect(readJson(written, read)).toEqual({ kind: "read", value: { why: "alternating" } });
    const older = object<{ why: string }>({ why: oneOf({ rejected: 0 }) });
    expect(readJson(written, older)).toMatchObject({ kind: "read", value: { why: "rejected" } });
  });

  test("has its nearest among the words of the first release", () => {
    for (const [vocabulary, later] of Object.entries(nearest)) {
      for (const [word, first] of Object.entries(later)) expect([vocabulary, word]).not.toEqual([vocabulary, first]);
    }
  });
});

describe("a list that is longer than the first release takes", () => {
  test("is written whole beside as many rows as that one takes", () => {
    const most = { kept: 2 };
    expect(writing({}, { kept: [1, 2, 3], other: [1, 2, 3] }, { most })).toEqual({
      kept: [1, 2],
      other: [1, 2, 3],
      later: { kept: [1, 2, 3] },
    });
    expect(writing({}, { kept: [1, 2] }, { most })).toEqual({ kept: [1, 2] });
  });

  test("is read as far as this release understands it", () => {
    const [one, two, three] = ["1-1", "2-1", "3-1"].map((packageVersion) => ({
      packageVersion,
      file: "f",
      sha256: "0",
      bytes: 1,
    }));
    const state = { schema: 1, rejected: [], moveSeconds: [], passes: [], kept: [one, two], later: { kept: [one, two, three] } };
    expect(decodeState(JSON.stringify(state))).toMatchObject({ kind: "read", value: { kept: [one, two] } });
  });
});

test("what is carried never takes the place of what is known", () => {
  const read: Reader<{ name: string }> = object({ name: text(9) });
  const found = readJson('{"name":"a","later":{"name":7,"size":1},"__proto__":{"x":1},"more":2}', read);
  if (found.kind === "unreadable") throw new Error(found.why);
  expect(JSON.stringify(writing(found.value, { name: found.value.name }))).toBe(
    '{"name":"a","later":{"name":7,"size":1},"__proto__":{"x":1},"more":2}',
  );
});
