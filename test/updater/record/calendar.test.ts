import * as fc from "fast-check";
import { expect, test } from "vitest";
import { covers, decodeCalendar, encodeCalendar, type KeptCalendar } from "../../../src/updater/record/calendar.ts";

const count = fc.nat();
const anyCalendar: fc.Arbitrary<KeptCalendar> = fc.record({
  key: fc.string(),
  from: count,
  until: count,
  spans: fc.array(fc.record({ start: count, stop: count })),
  blackouts: fc.array(fc.record({ from: count, to: count, reason: fc.option(fc.string(), { nil: undefined }) })),
});

test("what is written is what is read", () => {
  fc.assert(
    fc.property(anyCalendar, (calendar) => {
      expect(decodeCalendar(encodeCalendar(calendar))).toEqual(calendar);
    }),
  );
});

test.each([
  "",
  "{",
  "[]",
  '{"schema":2}',
  '{"schema":1,"key":"","from":0,"until":1,"spans":[{"start":-1,"stop":0}],"blackouts":[]}',
])("%j is none", (text) => expect(decodeCalendar(text)).toBeUndefined());

const day = 86_400;

test.each([
  [-1, false],
  [0, true],
  [6 * day, true],
  [6 * day + 1, false],
])("fourteen days count until eight are left: after %i seconds %s", (now, isCovered) => {
  expect(covers({ from: 0, until: 14 * day }, now)).toBe(isCovered);
});
