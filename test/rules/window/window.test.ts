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
    ["long after", 4_000_000_000, { kind: "closed", opensAt: undefined }],
  ])("%s", (_, now, opening) => {
    expect(openingAt([first, second], now)).toEqual(opening);
    expect(openingAt([second, first], now)).toEqual(opening);
  });
});

describe("windows count as one", () => {
  test.each([
    [
      "that touch",
      [
        [0, 10],
        [10, 20],
      ],
      5,
      20,
    ],
    [
      "that touch, at the seam",
      [
        [0, 10],
        [10, 20],
      ],
      10,
      20,
    ],
    [
      "that overlap",
      [
        [0, 12],
        [10, 20],
      ],
      5,
      20,
    ],
    [
      "of which one holds the other",
      [
        [0, 30],
        [10, 20],
      ],
      5,
      30,
    ],
    [
      "of which one holds the other, inside both",
      [
        [0, 30],
        [10, 20],
      ],
      15,
      30,
    ],
    [
      "that are the same",
      [
        [0, 10],
        [0, 10],
      ],
      5,
      10,
    ],
    [
      "in a chain that is written backwards",
      [
        [20, 30],
        [10, 20],
        [0, 10],
      ],
      1,
      30,
    ],
    [
      "but not across a gap of one second",
      [
        [0, 10],
        [11, 20],
      ],
      5,
      10,
    ],
  ] as const)("%s", (...[, pairs, now, until]) => {
    const windows = pairs.map(([start, stop]) => ({ start, stop }));
    expect(openingAt(windows, now)).toEqual({ kind: "open", until });
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

test("an opening is what counting every second says", () => {
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
