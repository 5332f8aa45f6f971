import { expect, it } from "vitest";
import { retryAfterMs } from "../../../src/machine/network/retry.ts";

const date = "Sat, 21 Nov 2026 12:00:00 GMT";

it.each<[title: string, retryAfter: string | undefined, date: string | undefined, waitMs: number | undefined]>([
  ["seconds", "120", date, 120_000],
  ["seconds between spaces", " 5 ", undefined, 5000],
  ["a date, counted from the server's own clock", "Sat, 21 Nov 2026 12:00:30 GMT", date, 30_000],
  ["a date in the obsolete form of RFC 850", "Saturday, 21-Nov-26 12:00:30 GMT", date, 30_000],
  ["a date that has gone by", "Sat, 21 Nov 2026 11:00:00 GMT", date, 0],
  ["a date from a server without a clock", "Sat, 21 Nov 2026 12:00:30 GMT", undefined, undefined],
  ["a date that does not exist", "Sat, 99 Nov 2026 12:00:30 GMT", date, undefined],
  ["a negative number", "-5", date, undefined],
  ["a number beyond all bounds", "9".repeat(400), date, undefined],
  ["nothing", "", date, undefined],
  ["no such header", undefined, date, undefined],
])("reads %s", (_title, retryAfter, serverDate, waitMs) => {
  expect(retryAfterMs({ retryAfter, date: serverDate })).toBe(waitMs);
});
