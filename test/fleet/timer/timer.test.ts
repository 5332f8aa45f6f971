import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { elapseAfter, parseCalendar } from "./calendar.ts";
import { firingAfter, type HostTimer } from "./firing.ts";
import { parseTimeSpan } from "./time-span.ts";
import { parseTimerUnit, type Timer } from "./unit-file.ts";

describe("a time span", () => {
  test.each([
    ["1h 30min", 5400],
    ["5min", 300],
    ["90", 90],
    ["2d 3s 4ms", 172_803.004],
    ["1s", 1],
    ["0", 0],
    ["1h30m", 5400],
  ])("%s has %d seconds, as systemd-analyze says", (text, seconds) => expect(parseTimeSpan(text)).toBeCloseTo(seconds, 6));

  test.each(["", "soon", "5 parsecs", "-1s", "infinity"])("%j is refused", (text) =>
    expect(() => parseTimeSpan(text)).toThrow("time span"),
  );
});

/** Friday 2026-11-20. */
const midnight = Date.UTC(2026, 10, 20) / 1000;

describe("a calendar expression", () => {
  // What "systemd-analyze calendar --base-time='2026-11-20 02:10:00 UTC' --iterations=4" printed.
  test.each([
    ["*:0/10", ["02:20", "02:30", "02:40", "02:50"]],
    ["hourly", ["03:00", "04:00", "05:00", "06:00"]],
    ["*-*-* 02:30", ["02:30", "26:30", "50:30", "74:30"]],
    ["*:*:0/20", ["02:10:20", "02:10:40", "02:11:00", "02:11:20"]],
    ["4,16:15..17/2", ["04:15", "04:17", "16:15", "16:17"]],
    ["daily", ["24:00", "48:00", "72:00", "96:00"]],
    ["*:5/20", ["02:25", "02:45", "03:05", "03:25"]],
  ])("%s elapses when systemd says it does", (expression, clock) => {
    const calendar = parseCalendar([expression]);
    const found: number[] = [midnight + 2 * 3600 + 600];
    while (found.length <= clock.length) found.push(elapseAfter(calendar, found.at(-1)!));
    const expected = clock.map((text) => {
      const [hour = 0, minute = 0, second = 0] = text.split(":").map(Number);
      return midnight + hour * 3600 + minute * 60 + second;
    });
    expect(found.slice(1)).toEqual(expected);
  });

  test.each(["Mon *:0/10", "*-*-1 00:00", "10:00 Europe/Berlin", "25:00", "*:0/0", "weekly", ""])("%j is refused", (expression) =>
    expect(() => parseCalendar([expression])).toThrow(/understood here|names what no day has/),
  );

  test("elapses later than any instant, and at no instant in between", () => {
    const calendar = parseCalendar(["*:0/10"]);
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 4e9, noNaN: true }), (instant) => {
        const elapse = elapseAfter(calendar, instant);
        expect(elapse % 600).toBeCloseTo(0);
        expect(elapse - instant).toBeGreaterThan(0);
        expect(elapse - instant).toBeLessThanOrEqual(600);
      }),
    );
  });
});

const shipped = parseTimerUnit(readFileSync(resolve(import.meta.dirname, "../../../systemd/svc-upgrade.timer"), "utf8"));

describe("the unit file", () => {
  test("that is shipped is understood whole", () => {
    const { calendar, ...rest } = shipped;
    expect(elapseAfter(calendar, midnight)).toBe(midnight + 600);
    expect(rest).toEqual({ randomDelaySeconds: 590, accuracySeconds: 1, isPersistent: true, hasFixedDelay: false });
  });

  test("has systemd's defaults for what it leaves out, and an empty OnCalendar takes the ones before it back", () => {
    const timer = parseTimerUnit(
      "[Timer]\nOnCalendar=hourly\nOnCalendar=\nOnCalendar=*:15\nOnCalendar=*:45\n[Install]\nOnCalendar=x",
    );
    const { calendar, ...rest } = timer;
    expect([elapseAfter(calendar, midnight), elapseAfter(calendar, midnight + 900)]).toEqual([midnight + 900, midnight + 2700]);
    expect(rest).toEqual({ randomDelaySeconds: 0, accuracySeconds: 60, isPersistent: false, hasFixedDelay: false });
  });

  test.each(["OnBootSec=5min", "OnCalendar=hourly\nPersistent=perhaps", "OnCalendar=hourly\nRandomizedOffsetSec=1h", "Unit=a"])(
    "with %j is refused",
    (lines) => expect(() => parseTimerUnit(`[Timer]\n${lines}\n`)).toThrow(/not understood here|neither yes nor no/),
  );
});

const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const anyTimer: fc.Arbitrary<Timer> = fc.record({
  calendar: fc.constantFrom(parseCalendar(["*:0/10"]), parseCalendar(["hourly"])),
  randomDelaySeconds: fc.constantFrom(0, 60, 300, 600),
  accuracySeconds: fc.constantFrom(0, 1, 60),
  isPersistent: fc.boolean(),
  hasFixedDelay: fc.boolean(),
});

const running = (last: number): HostTimer => ({ last, bootedAt: -Infinity, position: 0, fixedShare: 0.5 });

describe("a firing", () => {
  test.each<[title: string, timer: Partial<Timer>, host: Partial<HostTimer>, seconds: number]>([
    ["comes after the next elapse and the delay", {}, {}, 600 + 148],
    ["comes at the elapse itself without the delay", { randomDelaySeconds: 0 }, {}, 600],
    ["keeps the host's place within the accuracy", { randomDelaySeconds: 0 }, { position: 0.5 }, 600.5],
    ["has the host's own delay where that is fixed", { hasFixedDelay: true }, {}, 600 + 295],
    ["is made up for after the boot, and delayed then too", {}, { bootedAt: midnight + 1000 }, 1000 + 148],
    ["is at the boot itself without the delay", { randomDelaySeconds: 0 }, { bootedAt: midnight + 1000 }, 1000],
    ["is not made up for without Persistent", { isPersistent: false }, { bootedAt: midnight + 1000 }, 1200 + 148],
    ["is not due at a boot that missed none", {}, { bootedAt: midnight + 500 }, 600 + 148],
  ])("%s", (_title, timer, host, seconds) => {
    const firing = firingAfter({ ...shipped, ...timer }, { ...running(midnight), ...host }, () => 0.25);
    expect(firing - midnight).toBeCloseTo(seconds, 6);
  });

  test("lies between the elapse and the sum of delay and accuracy, under any settings", () => {
    fc.assert(
      fc.property(
        anyTimer,
        fc.record({ last: fc.nat(1e6), off: fc.nat(20_000), position: share, fixedShare: share, drawn: share }),
        (timer, given) => {
          const host = { ...given, bootedAt: given.last + given.off };
          const since = timer.isPersistent ? host.last : host.bootedAt;
          const elapse = Math.max(elapseAfter(timer.calendar, since), host.bootedAt);
          const late = firingAfter(timer, host, () => given.drawn) - elapse;
          expect(late).toBeGreaterThanOrEqual(0);
          expect(late).toBeLessThan(timer.randomDelaySeconds + timer.accuracySeconds + 1e-6);
        },
      ),
    );
  });

  test("comes once in each ten minutes, for the delay is shorter than these", () => {
    fc.assert(
      fc.property(fc.array(share, { minLength: 5, maxLength: 50 }), (draws) => {
        let last = midnight;
        for (const [index, draw] of draws.entries()) {
          last = firingAfter(shipped, running(last), () => draw);
          expect(Math.floor((last - midnight) / 600)).toBe(index + 1);
        }
      }),
    );
  });
});
