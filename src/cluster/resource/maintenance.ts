import { channelNameRule, parseChannelName } from "../../rules/channel/path.ts";
import { readLine } from "../../rules/settings/read-text.ts";
import { hour, weekdays } from "../../rules/settings/read-time.ts";
import { accepted, refused, refusedAs } from "../../rules/settings/reading.ts";
import { parseInstant, printInstant } from "../../rules/window/instant.ts";
import { weekdayName, type Weekday } from "../../rules/window/weekly.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { byName, listOf, mapping, maybe, needed, orElse, plain, type Form, type ValuesOf } from "./form.ts";

/** There is one in a cluster. */
export const maintenanceName = "cluster-maintenance-config";

const mostBlackouts = 100;

const utcHour: Form<number> = plain(hour.read, `${hour.allowed}, in UTC`);
const days: Form<readonly Weekday[]> = plain(weekdays.read, weekdays.allowed, (given) => given.map(weekdayName));
const windowKeys = { utc_start_hour: needed(utcHour), weekdays: orElse(days, []) };
const window: Form<ValuesOf<typeof windowKeys>> = mapping(windowKeys);

/** Every host reads it by its own clock, so it says which offset it means. */
const instant: Form<UnixSeconds> = plain(
  (raw) => {
    const parsed = typeof raw === "string" && raw.includes("T") ? parseInstant(raw) : undefined;
    return parsed === undefined ? refused(raw) : accepted(parsed);
  },
  "a time with its offset, for example 2026-12-24T18:00:00Z",
  printInstant,
);
const line: Form<string> = plain(readLine, "one line of text");
const rangeKeys = { from: needed(instant), to: needed(instant), reason: maybe(line) };
const range: Form<ValuesOf<typeof rangeKeys>> = mapping(rangeKeys);

/** `to` itself is free again. */
const blackout: typeof range = {
  ...range,
  read: (raw, source) => {
    const reading = range.read(raw, source);
    if (reading.kind === "refused" || reading.value.to > reading.value.from) return reading;
    const { from, to } = reading.value;
    return refusedAs([{ at: ".to", found: printInstant(to), allowed: `a time after from, ${printInstant(from)}` }]);
  },
};

const channel = { isName: (name: string): boolean => parseChannelName(name) !== undefined, allowed: channelNameRule };

const upgradeKeys = {
  ...windowKeys,
  channels: maybe(byName(window, channel)),
  blackouts: orElse(listOf(blackout, mostBlackouts), []),
};
const keys = { agent_upgrades: needed(mapping(upgradeKeys)) };

/** When agents move: one hour on some days, perhaps another one for the hosts of a channel, and never in a blackout. */
export const maintenanceSpec: Form<ValuesOf<typeof keys>> = mapping(keys);
