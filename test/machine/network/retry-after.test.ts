import { expect, it } from "vitest";
import { retryAfterMs } from "../../../src/machine/network/retry.ts";

const date = "Sat, 21 Nov 2026 12:00:00 GMT";

it.each([
  { title: "seconds", retryAfter: "120", serverDate: date, waitMs: 120_000 },
  { title: "seconds between spaces", retryAfter: " 5 ", serverDate: undefined, waitMs: 5000 },
  { title: "no seconds", retryAfter: "0", serverDate: date, waitMs: 0 },
  {
    title: "a date, counted from the server's own clock",
    retryAfter: "Sat, 21 Nov 2026 12:00:30 GMT",
    serverDate: date,
    waitMs: 30_000,
  },
  {
    title: "a date in the obsolete form of RFC 850",
    retryAfter: "Saturday, 21-Nov-26 12:00:30 GMT",
    serverDate: date,
    waitMs: 30_000,
  },
  { title: "a date that has gone by", retryAfter: "Sat, 21 Nov 2026 11:00:00 GMT", serverDate: date, waitMs: 0 },
  {
    title: "a date from a server without a clock",
    retryAfter: "Sat, 21 Nov 2026 12:00:30 GMT",
    serverDate: undefined,
    waitMs: undefined,
  },
  { title: "a date that does not exist", retryAfter: "Sat, 99 Nov 2026 12:00:30 GMT", serverDate: date, waitMs: undefined },
  { title: "a negative number", retryAfter: "-5", serverDate: date, waitMs: undefined },
  { title: "a fraction", retryAfter: "1.5", serverDate: date, waitMs: undefined },
  { title: "a number beyond all bounds", retryAfter: "9".repeat(400), serverDate: date, waitMs: undefined },
  { title: "a word", retryAfter: "later", serverDate: date, waitMs: undefined },
  { title: "nothing", retryAfter: "", serverDate: date, waitMs: undefined },
  { title: "no such header", retryAfter: undefined, serverDate: date, waitMs: undefined },
])("reads $title", ({ retryAfter, serverDate, waitMs }) => {
  expect(retryAfterMs({ retryAfter, date: serverDate })).toBe(waitMs);
});
