import { expect, test } from "vitest";
import { emptyOf } from "../../../src/rules/shape/empty.ts";
import { count, listOf, maybe, orElse, record } from "../../../src/rules/shape/shape.ts";

test("a record that says nothing yet has none of what may be missing, and empty lists", () => {
  expect(emptyOf(record({ a: maybe(count), b: listOf(count, 2), c: orElse(count, 7) }))).toEqual({ a: undefined, b: [], c: 7 });
});

test("a record that always says something has no such beginning", () => {
  expect(() => emptyOf(record({ a: count }))).toThrow('"a" always says something');
});
