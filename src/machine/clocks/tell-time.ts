import { quote } from "../../rules/text/quote.ts";

/** Tells a time in the reader's zone and in UTC: `Tue 2026-12-01 03:00 CET (02:00 UTC)`. */
export function tellTime(instant: string): string {
  const local = inZone(instant, undefined);
  const utc = inZone(instant, "UTC");
  if (local === undefined || utc === undefined) return quote(instant);
  if (local.day === utc.day && local.clock === utc.clock) return `${utc.day} ${utc.clock} UTC`;
  const there = local.day === utc.day ? utc.clock : `${utc.day} ${utc.clock}`;
  return `${local.day} ${local.clock} ${local.zone} (${there} UTC)`;
}

/** Prints `2026-12-01 03:00` in the reader's zone. Does not use Intl, which would take a second for a column of thousands. */
export function tellShort(instant: string): string {
  const time = new Date(instant);
  if (Number.isNaN(time.getTime())) return quote(instant);
  const two = (part: number): string => String(part).padStart(2, "0");
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

type Told = { readonly day: string; readonly clock: string; readonly zone: string };

function inZone(instant: string, zone: string | undefined): Told | undefined {
  const milliseconds = Date.parse(instant);
  if (Number.isNaN(milliseconds)) return undefined;
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    weekday: "short",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZoneName: "short",
  });
  const parts = new Map(format.formatToParts(milliseconds).map(({ type, value }) => [type, value]));
  const part = (name: Intl.DateTimeFormatPartTypes): string => parts.get(name) ?? "";
  return {
    day: `${part("weekday")} ${part("year")}-${part("month")}-${part("day")}`,
    clock: `${part("hour")}:${part("minute")}`,
    zone: part("timeZoneName"),
  };
}
