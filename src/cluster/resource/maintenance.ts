import { channelNameRule, parseChannelName } from "../../rules/channel/path.ts";
import { line } from "../../rules/settings/read-text.ts";
import { hour, weekdays } from "../../rules/settings/read-time.ts";
import { allowedFor } from "../../rules/shape/allowed.ts";
import { accepted, refusedAs } from "../../rules/shape/reading.ts";
import { allowing, byDefault, listOf, maybe, named, parsed, record, refined } from "../../rules/shape/shape.ts";
import { parseInstant, printInstant } from "../../rules/window/instant.ts";

/** The name of the only maintenance configuration. */
export const maintenanceName = "cluster-maintenance-config";

const mostBlackouts = 100;
/** More channels than a fleet has. */
const mostChannels = 10_000;

const windowKeys = { utc_start_hour: allowing(`${allowedFor(hour)}, in UTC`, hour), weekdays: byDefault(weekdays, []) };

/** An instant with its offset, because every host reads it by its own clock. */
const instant = parsed(
  (text) => (text.includes("T") ? parseInstant(text) : undefined),
  "a time with its offset, for example 2026-12-24T18:00:00Z",
  printInstant,
);

/** A blackout excludes its end `to`. */
const blackout = refined(record({ from: instant, to: instant, reason: maybe(line) }), (range) =>
  range.to > range.from
    ? accepted(range)
    : refusedAs([{ at: ".to", found: printInstant(range.to), allowed: `a time after from, ${printInstant(range.from)}` }]),
);

const channels = named(record(windowKeys), {
  isName: (name) => parseChannelName(name) !== undefined,
  name: channelNameRule,
  most: mostChannels,
});

/** When agents move: one hour on some days, perhaps another hour for a channel's hosts, and never in a blackout. */
export const maintenanceSpec = record({
  agent_upgrades: record({
    ...windowKeys,
    channels: maybe(channels),
    blackouts: byDefault(listOf(blackout, mostBlackouts), []),
  }),
});
