import { expect, test } from "vitest";
import { printExported, scheduleIn } from "../../../src/kube/objects/schedule.ts";
import { now } from "./given.ts";

const start = "2026-11-27T02:00:00Z";
const stop = "2026-11-27T03:00:00Z";
const windows = (...all: readonly object[]): string => JSON.stringify({ windows: all });

test.each([
  ["in UTC", { start, stop }, { start: 1_795_744_800, stop: 1_795_748_400 }],
  [
    "with an offset and fractions",
    { start: "2026-11-27T03:00:00.123456789+01:00", stop },
    { start: 1_795_744_800, stop: 1_795_748_400 },
  ],
])("a window %s is read", (_, window, expected) => {
  expect(scheduleIn({ kind: "text", text: windows(window) }, now)).toEqual({ kind: "windows", windows: [expected] });
});

test("what is exported is read back", () => {
  const exported = [{ start: 1_795_744_800, stop: 1_795_748_400 }];
  expect(scheduleIn({ kind: "text", text: printExported(exported) }, now)).toEqual({ kind: "windows", windows: exported });
});

test.each([
  ["missing", "schedule-missing", "there is no Secret"],
  ["{}", "schedule-invalid", "windows is not a list"],
  [windows({ start: "2026-11-27", stop }), "schedule-invalid", "windows[0] of agent-maintenance-schedule"],
  [windows({ start, stop: "later than all of this" }), "schedule-invalid", "windows[0] of agent-maintenance-schedule"],
  [windows({ start, stop }, { start: stop, stop: start }), "schedule-invalid", "windows[1] of agent-maintenance-schedule"],
  [windows(), "schedule-empty", "holds no window"],
  [
    windows({ start: "2026-11-13T02:00:00Z", stop: "2026-11-13T03:00:00Z" }),
    "schedule-stale",
    "its last window ended at 2026-11-13T03:00:00Z",
  ],
])("%s is no schedule: %s", (text, why, told) => {
  const found = text === "missing" ? ({ kind: "missing", why: told } as const) : ({ kind: "text", text } as const);
  expect(scheduleIn(found, now)).toEqual({ kind: "none", why, told: expect.stringContaining(told) });
});
