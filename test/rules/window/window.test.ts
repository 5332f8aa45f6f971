import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openingAfter, openingAt, type Window } from "../../../src/rules/window/window.ts";

const first: Window = { start: 1000, stop: 4600 };
const second: Window = { start: 9000, stop: 9600 };

describe("windows are half-open", () => {
  test.each([
    ["before the first", 999, { kind: "closed", opensAt: 1000 }],
    ["at its first second", 1000, { kind: "open", until: 4600 }],
    ["in its last second", 4599, { kind: "open", until: 4600 }],
    ["at its stop", 4600, { kind: "closed", opensAt: 9000 }],
    ["between them", 8999, { kind: "closed", opensAt: 9000 }],
    ["in the last one", 9300, { kind: "open", until: 9600 }],
    ["at the last stop", 9600, { kind: "closed", opensAt: undefined }],
  ])("%s", (_, now, opening) => {
    expect(openingAt([first, second], now)).toEqual(opening);
    expect(openingAt([second, first], now)).toEqual(opening);
  });
});

test("without windows nothing is open and nothing will be", () => {
  expect(openingAt([], 0)).toEqual({ kind: "closed", opensAt: undefined });
  expect(openingAfter([], 0)).toBeUndefined();
});

test.each([
  [999, 1000],
  [1000, 9000],
  [8999, 9000],
  [9000, undefined],
])("after %d the next opening is at %s", (now, opensAt) => {
  expect(openingAfter([second, first], now)).toBe(opensAt);
});

const someWindows = fc.array(
  fc.tuple(fc.nat({ max: 60 }), fc.integer({ min: 1, max: 20 })).map(([start, length]) => ({ start, stop: start + length })),
  { maxLength: 6 },
);

test("an opening is what counting every second says: windows that touch or overlap count as one", () => {
  fc.assert(
    fc.property(someWindows, fc.integer({ min: -5, max: 90 }), (windows, now) => {
      const isOpen = (instant: number): boolean => windows.some(({ start, stop }) => start <= instant && instant < stop);
      const later = Array.from({ length: 100 }, (_, index) => now + index);
      const opening = openingAt(windows, now);
      const open = { kind: "open", until: later.find((instant) => !isOpen(instant)) };
      const closed = { kind: "closed", opensAt: later.find(isOpen) };
      expect(opening).toEqual(isOpen(now) ? open : closed);
    }),
  );
});

test("asking leaves the windows in their order", () => {
  const windows = Object.freeze([second, first]);
  openingAt(windows, 0);
  openingAfter(windows, 0);
  expect(windows).toEqual([second, first]);
});
