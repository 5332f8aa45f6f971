import { parseInstant } from "../window/instant.ts";
import type { RangeEnd } from "../window/local-ranges.ts";
import { isBefore, type MonthDay } from "../window/month-day.ts";
import { daySeconds, hourSeconds } from "../window/seconds.ts";
import { parseSpoken } from "../window/typed-time.ts";
import type { UnixSeconds } from "../window/window.ts";
import type { LocalBlackout } from "./local-blackout.ts";
import { refusedAt } from "../shape/check.ts";
import { accepted, describe, refused, refusedAs, type SettingReading } from "../shape/reading.ts";
import { allowing, listOf, maybe, own, parsed, record, refined, type Of, type Shape } from "../shape/shape.ts";
import { line } from "./read-text.ts";
import { timezone } from "./read-time.ts";
import { parseVersion, type Version } from "../version/version.ts";
import type { Blackout, Hold, Pin } from "../decide/gate-policy.ts";

const instant: Shape<UnixSeconds> = parsed(
  parseInstant,
  'a date or a time with its offset, for example "2026-12-24" or "2026-12-24T18:00:00Z"',
);

const version: Shape<Version> = parsed(parseVersion, "a version with all three numbers, for example 15.4.6");

/** Without `until`, the hold lasts until somebody removes it. */
export const hold: Shape<Hold> = allowing(
  "a mapping of until and reason, both optional, for example {until: 2026-12-24}",
  record({ until: maybe(instant), reason: maybe(line) }),
);

export const pin: Shape<Pin> = allowing(
  "a mapping of version and reason, the reason optional, for example {version: 15.4.6}",
  record({ version, reason: maybe(line) }),
);

/** `isDate` marks a date without a time. It begins in UTC, unless a zone is named beside it. */
type GivenEnd = (RangeEnd & { readonly isDate: boolean }) | { readonly kind: "yearly"; readonly day: MonthDay };

const end: Shape<GivenEnd> = own(
  readEnd,
  'a date or a time, for example 2026-12-24, 2026-12-24T18:00:00Z or "2026-12-24 18:00"; or a day of every year as MM-DD, for example 12-20',
);

const rule = "a list of {from, to, timezone, reason}";
const rangeKeys = record({ from: end, to: end, timezone: maybe(timezone), reason: maybe(line) });

/** Enough for the weekends of ten years. */
const mostBlackouts = 1000;

export const blackouts: Shape<readonly (Blackout | LocalBlackout)[]> = allowing(
  rule,
  listOf(refined(rangeKeys, readBlackout), mostBlackouts),
);

function readBlackout(
  { from, to, timezone: zone, reason }: Of<typeof rangeKeys>,
  raw: unknown,
): SettingReading<Blackout | LocalBlackout> {
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

/** Checks the day in a year that has a 29th of February. */
function readMonthDay(raw: string, day: MonthDay): SettingReading<GivenEnd> {
  const isDay = parseInstant(`2028-${raw}`) !== undefined;
  return isDay ? accepted({ kind: "yearly", day }) : refused(raw);
}

function inZone(given: RangeEnd & { readonly isDate: boolean }, zone: string | undefined): RangeEnd {
  const { isDate, ...at } = given;
  return isDate && zone !== undefined && at.kind === "instant" ? { kind: "shown", shown: at.instant } : at;
}

/** Whether the range ends after its start in every zone. No zone's clocks differ more from UTC than this. */
function endsAfter(from: RangeEnd, to: RangeEnd): boolean {
  if (from.kind === "shown" && to.kind === "shown") return from.shown < to.shown;
  const latestFrom = from.kind === "instant" ? from.instant : from.shown + farthestWest;
  const earliestTo = to.kind === "instant" ? to.instant : to.shown - farthestEast;
  return latestFrom < earliestTo;
}

const farthestWest: number = 12 * hourSeconds;
const farthestEast: number = 14 * hourSeconds;
