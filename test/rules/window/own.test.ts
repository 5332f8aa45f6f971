import { expect, test } from "vitest";
import { ownWindowsAt } from "../../../src/rules/window/own.ts";
import { openingAt } from "../../../src/rules/window/window.ts";
import { at } from "./clocks.ts";

/** Sundays at two in UTC, and what some local window comes to, which touches that hour. */
const own = {
  hourly: [
    { utcStartHour: 2, weekdays: [0] },
    { utcStartHour: 5, weekdays: [0] },
  ],
  spans: [{ start: at("2026-11-22T03:00Z"), stop: at("2026-11-22T04:00Z") }],
} as const;

test.each([
  ["2026-11-22T01:00Z", { kind: "closed", opensAt: at("2026-11-22T02:00Z") }],
  ["2026-11-22T02:30Z", { kind: "open", until: at("2026-11-22T04:00Z") }],
  ["2026-11-22T04:30Z", { kind: "closed", opensAt: at("2026-11-22T05:00Z") }],
  ["2026-11-23T04:30Z", { kind: "closed", opensAt: at("2026-11-29T02:00Z") }],
])("several windows are open as if they were one: %s", (now, opening) => {
  expect(openingAt(ownWindowsAt(own, at(now)), at(now))).toEqual(opening);
});
