import { isHeld } from "../../decide/policy.ts";
import type { Settings } from "../../settings/settings.ts";
import { openingsOf } from "../../status/openings.ts";
import type { ScheduleSeen } from "../../status/seen.ts";
import type { StatusView } from "../../status/view.ts";
import { printInstant } from "../../window/instant.ts";
import { weekdayName } from "../../window/weekly.ts";
import type { UnixSeconds, Window } from "../../window/window.ts";

/** When passes may move. */
export type WhenJson = {
  /** The settings' own, which beats the schedule. */
  readonly window?: WindowsJson & { readonly hour: number; readonly weekdays: readonly string[] };
  readonly schedule: WindowsJson & {
    readonly state: ScheduleSeen["schedule"]["kind"] | "denied";
    readonly file: string;
    readonly written?: string | undefined;
    /** Where it is invalid: the line and what is wrong with it; 0 is the file as a whole. */
    readonly line?: number | undefined;
    readonly text?: string | undefined;
    readonly why?: string | undefined;
    /** Where it is stale. */
    readonly ended?: string | undefined;
  };
  readonly blackouts: readonly (SpanJson & { readonly reason?: string | undefined })[];
  readonly hold?: HoldJson;
};

type SpanJson = { readonly start: string; readonly stop: string };
/** Open now or still to come, the first of them. */
type WindowsJson = { readonly windows: readonly SpanJson[] };
type HoldJson = {
  readonly active: boolean;
  readonly until?: string | undefined;
  readonly reason?: string | undefined;
  readonly origin?: string | undefined;
};

export function whenJson({ seen, openings }: StatusView): WhenJson {
  const { settings, schedule, now } = seen;
  const { window, hold, blackouts = [] }: Partial<Settings> = settings?.settings ?? {};
  return {
    ...(window === undefined
      ? {}
      : { window: { hour: window.utcStartHour, weekdays: window.weekdays.map(weekdayName), windows: openings.map(spanJson) } }),
    schedule: scheduleJson(schedule, now),
    blackouts: blackouts.map(({ from, to, reason }) => ({ ...spanJson({ start: from, stop: to }), reason })),
    ...(hold === undefined
      ? {}
      : {
          hold: {
            active: isHeld(hold, now),
            until: instantJson(hold.until),
            reason: hold.reason,
            origin: settings?.holdOrigin,
          },
        }),
  };
}

export function instantJson(instant: UnixSeconds | undefined): string | undefined {
  return instant === undefined ? undefined : printInstant(instant);
}

function scheduleJson({ file, schedule, writtenAt, access }: ScheduleSeen, now: UnixSeconds): WhenJson["schedule"] {
  const flaw = schedule.kind === "invalid" && access === "read" ? schedule : undefined;
  return {
    state: access === "denied" ? "denied" : schedule.kind,
    file,
    written: instantJson(writtenAt),
    line: flaw?.line,
    text: flaw?.text,
    why: flaw?.why,
    ended: schedule.kind === "stale" ? printInstant(schedule.endedAt) : undefined,
    windows: openingsOf(undefined, schedule, now).map(spanJson),
  };
}

function spanJson({ start, stop }: Window): SpanJson {
  return { start: printInstant(start), stop: printInstant(stop) };
}
