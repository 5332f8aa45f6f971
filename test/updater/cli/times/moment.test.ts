import { describe, expect, test } from "vitest";
import { tellAway, tellMoment, tellMoments } from "../../../../src/updater/cli/times/moment.ts";

/** Friday 2026-11-20, 02:10 UTC. */
const now = 1_795_140_600;
const berlin = { now, zone: "Europe/Berlin" };

describe("how far away a moment is", () => {
  test.each([
    [0, "just now"],
    [-59, "just now"],
    [59, "within a minute"],
    [-60, "1 minute ago"],
    [60, "in 1 minute"],
    [-7 * 86_400, "7 days ago"],
  ])("%i seconds", (seconds, told) => expect(tellAway(now + seconds, now)).toBe(told));
});

test("a moment is told in the time of who reads it, and how far away it is", () => {
  expect(tellMoment(now + 3600, berlin)).toBe("Fri 2026-11-20 04:10 GMT+1 (in 1 hour)");
  expect(tellMoment(now + 3600, { now, zone: "UTC" })).toBe("Fri 2026-11-20 03:10 UTC (in 1 hour)");
});

describe("a sentence with instants", () => {
  test.each([
    ["the window closes at 2026-11-20T03:00:00Z, soon", "the window closes at Fri 2026-11-20 04:00 GMT+1 (in 50 minutes), soon"],
    [
      "from 2026-11-20T01:00:00Z to 2026-11-20T03:00:00Z",
      "from Fri 2026-11-20 02:00 GMT+1 (1 hour 10 minutes ago) to Fri 2026-11-20 04:00 GMT+1 (in 50 minutes)",
    ],
    ["the clock says 2026-11-20T02:10:00Z", "the clock says Fri 2026-11-20 03:10 GMT+1"],
    ["no day is 2026-13-40T99:00:00Z", "no day is 2026-13-40T99:00:00Z"],
    ['allowed: a time, for example "2026-11-20T03:00:00Z"', 'allowed: a time, for example "2026-11-20T03:00:00Z"'],
    ["type `svc-upgrade dry-run --at 2026-11-20T03:00:00Z`", "type `svc-upgrade dry-run --at 2026-11-20T03:00:00Z`"],
    [
      'held "for the audit" until 2026-11-20T03:00:00Z, it says',
      'held "for the audit" until Fri 2026-11-20 04:00 GMT+1 (in 50 minutes), it says',
    ],
    ["the clock says 2008-10-15T00:00:00Z", "the clock says Wed 2008-10-15 02:00 GMT+2 (18 years ago)"],
    ["15.4.6-1 of 2026-11-20", "15.4.6-1 of 2026-11-20"],
  ])("%s", (sentence, told) => expect(tellMoments(sentence, berlin)).toBe(told));
});
