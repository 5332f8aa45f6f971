import { parseInstant } from "../window/instant.ts";
import type { RangeEnd } from "../window/local-ranges.ts";
import { isBefore, type MonthDay } from "../window/month-day.ts";
import { daySeconds, hourSeconds } from "../window/seconds.ts";
import { parseSpoken } from "../window/typed-time.ts";
import type { UnixSeconds } from "../window/window.ts";
import type { LocalBlackout } from "./local-blackout.ts";
import { optional, readFields, refusedAt, type Field } from "./read-fields.ts";
import { accepted, describe, readEach, refused, refusedAs, type SettingReading } from "./reading.ts";
import { readLine } from "./read-text.ts";
import { timezone } from "./read-time.ts";
import { parseVersion, type Version } from "../version/version.ts";
import type { Blackout, Hold, Pin } from "../decide/gate-policy.ts";

const line: Field<string> = { read: readLine, allowed: "one line of text" };

const instant: Field<UnixSeconds> = {
  read: (raw) => {
    const parsed = typeof raw === "string" ? parseInstant(raw) : undefined;
    return parsed === undefined ? refused(raw) : accepted(parsed);
  },
  allowed: 'a date or a time with its offset, for example "2026-12-24" or "2026-12-24T18:00:00Z"',
};

const oneVersion: Field<Version> = {
  read: (raw) => {
    const parsed = typeof raw === "string" ? parseVersion(raw) : undefined;
    return parsed === undefined ? refused(raw) : accepted(parsed);
  },
  allowed: "a version with all three numbers, for example 15.4.6",
};

/** Empty: held until it is removed. */
export function readHold(raw: unknown): SettingReading<Hold> {
  return readFields<Hold>(raw, { until: optional(instant), reason: optional(line) });
}

export function readPin(raw: unknown): SettingReading<Pin> {
  return readFields<Pin>(raw, { version: oneVersion, reason: optional(line) });
}

export function readBlackouts(raw: unknown): SettingReading<readonly (Blackout | LocalBlackout)[]> {
  return Array.isArray(raw) ? readEach(raw, readBlackout) : refused(raw);
}

type GivenBlackout = {
  readonly from: GivenEnd;
  readonly to: GivenEnd;
  readonly timezone: string | undefined;
  readonly reason: string | undefined;
};

/** `isDate`: a date alone, which begins in UTC unless a zone is named beside it. */
type GivenEnd = (RangeEnd & { readonly isDate: boolean }) | { readonly kind: "yearly"; readonly day: MonthDay };

const end: Field<GivenEnd> = {
  read: readEnd,
  allowed:
    'a date or a time, for example 2026-12-24, 2026-12-24T18:00:00Z or "2026-12-24 18:00"; or a day of every year as MM-DD, for example 12-20',
};

function readBlackout(raw: unknown): SettingReading<Blackout | LocalBlackout> {
  const reading = readFields<GivenBlackout>(raw, {
    from: end,
    to: end,
    timezone: optional(timezone),
    reason: optional(line),
  });
  if (reading.kind === "refused") return reading;
  const { from, to, timezone: zone, reason } = reading.value;
  const written = raw as { readonly from: unknown; readonly to: unknown; readonly timezone?: unknown };
  if (from.kind === "yearly" && to.kind === "yearly") {
    if (!isBefore(from.day, to.day) && !isBefore(to.day, from.day))
      return refusedAt(".to", written.to, `another day than from, ${describe(written.from)}: that day itself is free again`);
    return accepted({ range: { kind: "yearly", from: from.day, to: to.day }, timezone: zone, reason });
  }
  if (from.kind === "yearly" || to.kind === "yearly")
    return refusedAt(".to", written.to, `as from, ${describe(written.from)}: MM-DD in both, or a whole date in both`);
  const [first, last] = [inZone(from, zone), inZone(to, zone)];
  if (!endsAfter(first, last)) {
    const apart =
      first.kind === last.kind ? "" : ", wherever the clocks are: write both alike where less than a day lies between";
    const what = first.kind === last.kind && first.kind === "instant" ? "an instant" : "a time";
    return refusedAt(".to", written.to, `${what} after from, ${describe(written.from)}${apart}`);
  }
  if (first.kind === "shown" || last.kind === "shown")
    return accepted({ range: { kind: "dated", from: first, to: last }, timezone: zone, reason });
  if (zone !== undefined)
    return refusedAt(".timezone", zone, "none, because from and to say themselves how far they are from UTC");
  return accepted({ from: first.instant, to: last.instant, reason });
}

function readEnd(raw: unknown): SettingReading<GivenEnd> {
  if (typeof raw !== "string") return refused(raw);
  const yearly = /^(\d\d)-(\d\d)$/.exec(raw);
  if (yearly !== null) return readMonthDay(raw, { month: Number(yearly[1]), date: Number(yearly[2]) });
  const spoken = parseSpoken(raw);
  switch (spoken?.kind) {
    case undefined:
      return refused(raw);
    case "instant":
      return accepted({ ...spoken, isDate: false });
    case "dated": {
      const shown = spoken.day * daySeconds + (spoken.time ?? 0);
      const isDate = spoken.time === undefined;
      if (isDate || spoken.clocks === "UTC") return accepted({ kind: "instant", instant: shown, isDate });
      return accepted({ kind: "shown", shown, isDate });
    }
    case "after":
    case "next":
      return refusedAs([
        { at: "", found: `${describe(raw)}, which means another time whenever the file is read`, allowed: absolute },
      ]);
  }
}

const absolute = 'a time with its date, for example "2026-12-24 18:00"; svc-upgrade hold --until takes the others';

/** Of a year that has a 29th of February. */
function readMonthDay(raw: string, day: MonthDay): SettingReading<GivenEnd> {
  const isDay = parseInstant(`2028-${raw}`) !== undefined;
  return isDay ? accepted({ kind: "yearly", day }) : refused(raw);
}

function inZone(given: RangeEnd & { readonly isDate: boolean }, zone: string | undefined): RangeEnd {
  const { isDate, ...at } = given;
  return isDate && zone !== undefined && at.kind === "instant" ? { kind: "shown", shown: at.instant } : at;
}

/** As far as can be told without knowing how far the clocks of a zone are from UTC: never more than this. */
function endsAfter(from: RangeEnd, to: RangeEnd): boolean {
  if (from.kind === "shown" && to.kind === "shown") return from.shown < to.shown;
  const latestFrom = from.kind === "instant" ? from.instant : from.shown + farthestWest;
  const earliestTo = to.kind === "instant" ? to.instant : to.shown - farthestEast;
  return latestFrom < earliestTo;
}

const farthestWest: number = 12 * hourSeconds;
const farthestEast: number = 14 * hourSeconds;
