import { asFault } from "../../rules/fault/explain.ts";
import { hostZoneSign } from "../../machine/clocks/host-zone-sign.ts";
import type { Log } from "../../machine/logging/log.ts";
import type { Paths } from "../../machine/files/paths.ts";
import {
  covers,
  type Calendar,
  decodeCalendar,
  encodeCalendar,
  longestCalendarBytes,
  type KeptCalendar,
} from "../record/calendar.ts";
import type { NeededZone, Settings } from "../../rules/settings/settings.ts";
import { daySeconds } from "../../rules/window/seconds.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { readFileCapped } from "../../machine/files/read-file.ts";
import { writeFileAtomically } from "../../machine/files/write-file.ts";

export type CalendarScope = {
  readonly paths: Pick<Paths, "root" | "localtime" | "zoneinfo" | "calendar">;
  readonly now: UnixSeconds;
  /** "kept": uses an earlier pass's calendar, which this user wrote, if nothing it depends on has changed. */
  readonly calendar: "kept" | "anew";
  readonly log: Log;
};

/** Adds the local times of the settings around now as instants. Loads the time zones only if these are not known yet. */
export async function withCalendar(settings: Settings, zones: readonly NeededZone[], scope: CalendarScope): Promise<Settings> {
  const { spans, blackouts } = await calendarOf(settings, zones, scope);
  const { window } = settings;
  return {
    ...settings,
    window: window && { ...window, spans },
    blackouts: [...settings.blackouts, ...blackouts],
  };
}

/** Back as far as a clock may be corrected, and ahead so far that a calendar lasts for days. */
const backSeconds: UnixSeconds = daySeconds;
const aheadSeconds: UnixSeconds = 14 * daySeconds;

async function calendarOf(settings: Settings, zones: readonly NeededZone[], scope: CalendarScope): Promise<Calendar> {
  const { paths, now, log } = scope;
  const key = keyOf(settings, paths);
  const kept = scope.calendar === "kept" ? readKeptCalendar(paths.calendar) : undefined;
  if (kept?.key === key && covers(kept, now)) return kept;
  const { workOut } = await import("../../machine/clocks/local-times.ts");
  const span = { start: now - backSeconds, stop: now + aheadSeconds };
  const calendar = workOut(settings, zones, { paths, span });
  if (scope.calendar === "kept") {
    try {
      keepCalendar(paths.calendar, { key, from: Math.max(0, span.start), until: span.stop, ...calendar }, paths.root);
    } catch (thrown) {
      log("debug", "what the local times come to could not be kept", { why: asFault(thrown).message });
    }
  }
  return calendar;
}

/** The calendar depends on the rules, the host's zone and the runtime's zone tables. */
function keyOf({ window, localBlackouts }: Settings, paths: CalendarScope["paths"]): string {
  const { tz, icu } = process.versions;
  return JSON.stringify([window?.local, localBlackouts, hostZoneSign(paths), tz, icu]);
}

/** The calendar that an earlier pass of this user worked out; undefined if it is missing, or if another user could have written it. */
function readKeptCalendar(path: string): KeptCalendar | undefined {
  const reading = readFileCapped(path, { capBytes: longestCalendarBytes, links: "refuse" });
  if (reading.kind !== "read" || reading.links !== 1) return undefined;
  const isOwn = reading.uid === process.geteuid?.() && (reading.mode & 0o022) === 0;
  return isOwn ? decodeCalendar(reading.text) : undefined;
}

/** Does not keep a calendar that is too long to read back. Each pass then makes it again. */
function keepCalendar(path: string, calendar: KeptCalendar, root: string): void {
  const text = encodeCalendar(calendar);
  if (Buffer.byteLength(text) > longestCalendarBytes) return;
  writeFileAtomically(path, text, { root, mode: 0o644, fault: "file-failed" });
}
