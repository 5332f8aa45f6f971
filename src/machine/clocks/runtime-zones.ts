import { IANAZone } from "luxon";
import type { OffsetAt } from "../../rules/window/wall-clock.ts";

/** The clocks of a zone from the runtime's tables, so the host needs no time zones installed. */
export function clocksOf(zone: string): OffsetAt {
  const known = IANAZone.create(zone);
  return (instant) => known.offset(instant * 1000) * 60;
}

export function isZone(name: string): boolean {
  return IANAZone.isValidZone(name);
}

/** Zone names for suggestions. Aliases are valid too, but not listed. */
export function zoneNames(): readonly string[] {
  return ["UTC", ...Intl.supportedValuesOf("timeZone")];
}
