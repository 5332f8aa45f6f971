import { describe, expect, test } from "vitest";
import { decode } from "../../../src/rules/shape/read.ts";
import {
  coded,
  count,
  kinds,
  listOf,
  maybe,
  optional,
  orElse,
  quoted,
  record,
  text,
  words,
  type Shape,
} from "../../../src/rules/shape/shape.ts";
import { encode } from "../../../src/rules/shape/write.ts";

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

test("a word that is not known here is written beside the one that stands for it, until a release knows it", () => {
  const today = record({ why: words({ held: 0 }, "held") });
  const kept = rewritten('{"why":"alternating"}', today);
  expect(kept).toBe('{"why":"held","later":{"why":"alternating"}}');
  expect(rewritten(kept, record({ why: words({ held: 0, alternating: 0 }) }))).toBe('{"why":"alternating"}');
});

test("what is carried never takes the place of what is known", () => {
  const name = record({ name: text(9) });
  const later = '{"name":"a","later":{"name":7,"size":1},"__proto__":{"x":1},"more":2}';
  expect(rewritten(later, name)).toBe(later);
  const numbered = record({ name: text(9) }, { schema: 1 });
  expect(rewritten('{"schema":1,"name":"a","more":2}', numbered)).toBe('{"schema":1,"name":"a","more":2}');
});

test("what changes key by key keeps what it does not know, and not what was meant by its keys", () => {
  const changing = record({ name: text(9) }, { changes: "by key" });
  const found = '{"name":"a","later":{"name":7,"size":1},"more":2}';
  expect(rewritten(found, changing)).toBe('{"name":"a","later":{"size":1},"more":2}');
});

function rewritten<T>(found: string, of: Shape<T>): string {
  const reading = decode(found, of, "carried");
  if (reading.kind === "unreadable") throw new Error(reading.why);
  return JSON.stringify(encode(of, reading.value));
}
