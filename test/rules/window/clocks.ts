import { IANAZone } from "luxon";
import type { OffsetAt } from "../../../src/rules/window/wall-clock.ts";

/** The clocks of a zone, for tests of what takes any clocks. */
export function clocksOf(zone: string): OffsetAt {
  const known = IANAZone.create(zone);
  if (!known.isValid) throw new Error(`${zone} is no zone`);
  return (instant) => known.offset(instant * 1000) * 60;
}

/** Of a zone each: an hour in the night, an hour in the evening before, half an hour, by the half hour, and never. */
export const zones = [
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "America/St_Johns",
  "Africa/Cairo",
  "Asia/Tokyo",
] as const;

export function at(text: string): number {
  return Date.parse(text) / 1000;
}
