import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readTime } from "../../../../src/updater/cli/times/read-time.ts";
import { Fault } from "../../../../src/rules/fault/fault.ts";
import { printInstant } from "../../../../src/rules/window/instant.ts";

/** Friday 2026-11-20, 02:10 UTC. */
const now = 1_795_140_600;
const lastSecond = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000;

function read(text: string, zone = "UTC", at = now): string {
  return printInstant(readTime(text, { now: at, zone }));
}

function refusal(text: string, zone = "UTC", at = now): Fault {
  try {
    return expect.fail(`${text} was read as ${read(text, zone, at)}`);
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown;
    throw thrown;
  }
}

describe("a time is read", () => {
  test.each([
    ["in RFC 3339", "2026-12-24T08:00:00Z", "2026-12-24T08:00:00Z"],
    ["in small letters", "2026-12-24t08:00:00z", "2026-12-24T08:00:00Z"],
    ["with an offset", "2026-12-24T08:00:00+05:30", "2026-12-24T02:30:00Z"],
    ["with a fraction, which is dropped", "2026-12-24T08:00:00.999-01:00", "2026-12-24T09:00:00Z"],
    ["as journalctl prints it", "2026-12-24T08:00:00+0100", "2026-12-24T07:00:00Z"],
    ["as date prints it", "2026-12-24 08:00:00+01:00", "2026-12-24T07:00:00Z"],
    ["as systemctl prints it", "Thu 2026-12-24 08:00:00 UTC", "2026-12-24T08:00:00Z"],
    ["as unix seconds", "@1795000000", "2026-11-18T11:06:40Z"],
    ["as the first of them", "@0", "1970-01-01T00:00:00Z"],
  ])("%s, wherever it is said", (_title, text, instant) => {
    expect(["UTC", "Asia/Kolkata", "America/St_Johns"].map((zone) => read(text, zone))).toEqual(Array(3).fill(instant));
  });

  test.each([
    ["2026-12-24", "2026-12-23T23:00:00Z"],
    ["2026-12-24 08:00", "2026-12-24T07:00:00Z"],
    ["2026-12-24T08:00:30", "2026-12-24T07:00:30Z"],
    ["2026-07-24 8:00", "2026-07-24T06:00:00Z"],
    ["  2026-12-24   08:00 ", "2026-12-24T07:00:00Z"],
    ["thu 2026-12-24", "2026-12-23T23:00:00Z"],
    ["today", "2026-11-19T23:00:00Z"],
    ["today 08:00", "2026-11-20T07:00:00Z"],
    ["tomorrow", "2026-11-20T23:00:00Z"],
    ["Tomorrow 08:00", "2026-11-21T07:00:00Z"],
    ["03:11", "2026-11-20T02:11:00Z"],
    ["03:10", "2026-11-21T02:10:00Z"],
    ["03:10:01", "2026-11-20T02:10:01Z"],
    ["02:30", "2026-11-21T01:30:00Z"],
    ["02:30 UTC", "2026-11-20T02:30:00Z"],
    ["02:00 utc", "2026-11-21T02:00:00Z"],
    ["sat", "2026-11-20T23:00:00Z"],
    ["SATURDAY 02:00", "2026-11-21T01:00:00Z"],
    ["fri", "2026-11-26T23:00:00Z"],
    ["fri 03:10", "2026-11-27T02:10:00Z"],
    ["Friday 23:30", "2026-11-20T22:30:00Z"],
    ["thu 00:00", "2026-11-25T23:00:00Z"],
    ["sat 02:00 utc", "2026-11-21T02:00:00Z"],
  ])("by the clocks of Berlin at ten past three: %s", (text, instant) => {
    expect(read(text, "Europe/Berlin")).toBe(instant);
  });

  test("on the day that it is there, which may be another one than in UTC", () => {
    expect(read("today", "Pacific/Auckland", now + 10 * 3600)).toBe("2026-11-20T11:00:00Z");
    expect(read("tomorrow", "America/Los_Angeles")).toBe("2026-11-20T08:00:00Z");
  });

  test.each([
    ["2h", 7200],
    ["+2h", 7200],
    ["90m", 5400],
    ["1h30m", 5400],
    ["1h 30m", 5400],
    ["3D", 3 * 86_400],
    ["2w", 14 * 86_400],
    ["1w2d3h4m5s", 7 * 86_400 + 2 * 86_400 + 3 * 3600 + 4 * 60 + 5],
    ["0m", 0],
  ])("as so long from now: %s", (text, seconds) => {
    expect(readTime(text, { now, zone: "Europe/Berlin" })).toBe(now + seconds);
  });

  test("as 24 hours for a day, also when the clocks are changed in it", () => {
    const before = Date.UTC(2027, 2, 27, 12) / 1000;
    expect(read("1d", "Europe/Berlin", before)).toBe("2027-03-28T12:00:00Z");
    expect(read("tomorrow 13:00", "Europe/Berlin", before)).toBe("2027-03-28T11:00:00Z");
  });
});

describe("what is no time", () => {
  test.each([
    ["fridya", '"fridya" is no time; did you mean friday?'],
    ["Mondey 08:00", '"Mondey 08:00" is no time; did you mean monday 08:00?'],
    ["tomorow", '"tomorow" is no time; did you mean tomorrow?'],
    ["2 days", '"2 days" is no time; did you mean 2d?'],
    ["2days", '"2days" is no time; did you mean 2d?'],
    ["90 minutes", '"90 minutes" is no time; did you mean 90m?'],
    ["1 week", '"1 week" is no time; did you mean 1w?'],
    ["soon", '"soon" is no time'],
    ["fridya evening", '"fridya evening" is no time'],
    ["fridya 08:00 sharp", '"fridya 08:00 sharp" is no time'],
    ["", '"" is no time'],
  ])("is told with the nearest that is one: %j", (text, message) => {
    expect(refusal(text).message).toBe(message);
  });
});

describe("where the clocks are changed", () => {
  test.each([
    ["Europe/Berlin", "2027-03-28 02:30", "2027-03-28T03:30:00+02:00"],
    ["Europe/Berlin", "2027-03-28 02:00", "2027-03-28T03:00:00+02:00"],
    ["America/Santiago", "2026-09-06 00:00", "2026-09-06T01:00:00-03:00"],
    ["Australia/Lord_Howe", "2026-10-04 02:10", "2026-10-04T02:40:00+11:00"],
    ["Pacific/Apia", "2011-12-30 10:00", "2011-12-31T10:00:00+14:00"],
  ])("a time that the clocks of %s skip is refused: %s, with one that they show", (zone, text, shown) => {
    const { code, message, hint } = refusal(text, zone);
    expect([code, message]).toEqual(["usage", `"${text}" is skipped by the clocks of ${zone}, which are set on past it`]);
    expect(hint).toBe(`give a time that they show, for example ${shown}`);
    expect(read(shown)).toMatch(/Z$/);
  });

  test.each([
    ["Europe/Berlin", "2026-10-25 02:30", "2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00"],
    ["America/New_York", "2026-11-01 01:00", "2026-11-01T01:00:00-04:00", "2026-11-01T01:00:00-05:00"],
    ["Australia/Lord_Howe", "2027-04-04 01:45", "2027-04-04T01:45:00+11:00", "2027-04-04T01:45:00+10:30"],
  ])("a time that the clocks of %s show twice is refused: %s, with both", (zone, text, first, second) => {
    const { code, message, hint } = refusal(text, zone);
    expect([code, message]).toEqual(["usage", `"${text}" is shown twice by the clocks of ${zone}, which are set back over it`]);
    expect(hint).toBe(`say which one is meant: ${first} or ${second}`);
    expect(readTime(first, { now, zone: "UTC" })).toBeLessThan(readTime(second, { now, zone: "UTC" }));
  });

  test("the next such time may be such a one, and is refused as well; the one after it is not", () => {
    const evening = Date.UTC(2027, 2, 27, 20) / 1000;
    expect(refusal("02:30", "Europe/Berlin", evening).message).toContain("skipped");
    expect(refusal("sun 02:30", "Europe/Berlin", evening).message).toContain("skipped");
    expect(read("02:30", "Europe/Berlin", evening + 86_400)).toBe("2027-03-29T00:30:00Z");
    // Between the two: the second is still to come.
    expect(refusal("02:30", "Europe/Berlin", Date.UTC(2026, 9, 25, 1) / 1000).message).toContain("twice");
  });

  test.each([
    ["Europe/Berlin", "2027-03-28", "2027-03-27T23:00:00Z"],
    ["America/Santiago", "2026-09-06", "2026-09-06T04:00:00Z"],
    ["America/Havana", "2026-11-01", "2026-11-01T04:00:00Z"],
    ["Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00Z"],
  ])("a day in %s begins with its first moment: %s", (zone, text, instant) => {
    expect(read(text, zone)).toBe(instant);
  });
});

describe("what is no time", () => {
  test.each([
    "",
    " ",
    "+",
    "never",
    "now-ish",
    "today tomorrow",
    "sat02:00",
    "25:00",
    "12:60",
    "12:00:60",
    "24:00",
    "2026-13-01",
    "2026-02-30",
    "2026-12-2408:00",
    "2026-12-24t",
    "2026-12-24T08:00+24:00",
    "mon 2026-12-24",
    "today 2026-12-24",
    "2h utc",
    "30m1h",
    "2y",
    "-2h",
    "1.5h",
    "@",
    "@-1",
    "1795000000",
    "99999999h",
  ])("is refused with what was found and with times to choose from: %j", (text) => {
    const { code, message, hint } = refusal(text);
    expect([code, message]).toEqual(["usage", `"${text.trim()}" is no time`]);
    const examples = hint
      .replace("a time is one of: ", "")
      .split(", ")
      .map((word) => word.replaceAll('"', ""));
    expect(examples.length).toBeGreaterThan(5);
    for (const example of examples) expect(() => read(example, "Europe/Berlin")).not.toThrow();
  });

  test.each(["1969-12-31", "0001-01-01T00:00:00Z", "9999999w", "@999999999999"])("neither is %s, which no year holds", (text) => {
    expect(refusal(text).message).toBe(`"${text}" is not in the years 1970 to 9999`);
  });
});

const zones = ["UTC", "Europe/Berlin", "America/Los_Angeles", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia"];
const anyZone = fc.constantFrom(...zones);
const anyInstant = fc.integer({ min: 0, max: lastSecond });

describe("for every zone", () => {
  test("an instant is read again as it was printed", () => {
    fc.assert(
      fc.property(anyInstant, anyZone, (instant, zone) => {
        expect(readTime(printInstant(instant), { now, zone })).toBe(instant);
        expect(readTime(`@${instant}`, { now, zone })).toBe(instant);
      }),
    );
  });

  test("the next such time lies ahead, by a day at most, or by a week", () => {
    const two = (value: number): string => String(value).padStart(2, "0");
    const anyTime = fc.tuple(fc.nat({ max: 23 }), fc.nat({ max: 59 })).map(([hour, minute]) => `${two(hour)}:${two(minute)}`);
    const anyDay = fc.constantFrom("", "mon ", "tuesday ", "sun ");
    // An hour more, where the clocks are set back; and the day of a week that has no such time is refused.
    const longest = (day: string): number => (day === "" ? 86_400 : 7 * 86_400) + 3600;
    fc.assert(
      fc.property(fc.integer({ min: now, max: now + 20 * 365 * 86_400 }), anyZone, anyDay, anyTime, (at, zone, day, time) => {
        try {
          const ahead = readTime(`${day}${time}`, { now: at, zone }) - at;
          expect(ahead).toBeGreaterThan(0);
          expect(ahead).toBeLessThanOrEqual(longest(day));
        } catch (thrown) {
          if (!(thrown instanceof Fault)) throw thrown;
          expect(thrown.message).toMatch(/skipped|twice/);
        }
      }),
    );
  });

  test("any text is a time of the years that there are, or a fault of the command line", () => {
    const hostile = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.stringMatching(/^(mon|tomorrow|today)? ?(\d{4}-\d\d-\d\d)?[ T]?(\d\d:\d\d(:\d\d)?)?( ?(Z|UTC|[+-]\d\d:?\d\d))?$/),
      fc.stringMatching(/^[+@-]?(\d{1,9}[wdhms]?){1,5}$/),
    );
    fc.assert(
      fc.property(hostile, anyZone, anyInstant, (text, zone, at) => {
        try {
          const instant = readTime(text, { now: at, zone });
          expect(Number.isInteger(instant) && instant >= 0 && instant <= lastSecond).toBe(true);
        } catch (thrown) {
          expect(thrown).toMatchObject({ name: "Fault", code: "usage" });
        }
      }),
      { numRuns: 2000 },
    );
  });
});
