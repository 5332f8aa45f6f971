import { IANAZone } from "luxon";
import type { OffsetAt } from "../../rules/window/wall-clock.ts";

/** The clocks of a zone, by the tables of the runtime: whatever time zones the host itself has installed. */
export function clocksOf(zone: string): OffsetAt {
  const known = IANAZone.create(zone);
  return (instant) => known.offset(instant * 1000) * 60;
}

export function isZone(name: string): boolean {
  return IANAZone.isValidZone(name);
}

/** For a suggestion; each has other names besides, which count as well. */
export function zoneNames(): readonly string[] {
  return ["UTC", ...Intl.supportedValuesOf("timeZone")];
}
