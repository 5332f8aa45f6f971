import type { Paths } from "../files/paths.ts";
import { readHostZone } from "./host-zone.ts";
import { clocksOf, isZone, zoneNames } from "./runtime-zones.ts";
import type { Blackout } from "../../rules/decide/gate-policy.ts";
import { settingsFault } from "../../rules/settings/explain.ts";
import { nearest } from "../../rules/text/nearest.ts";
import { allowedFor } from "../../rules/shape/allowed.ts";
import { timezone } from "../../rules/settings/read-time.ts";
import type { NeededZone, SettingFault, Settings } from "../../rules/settings/settings.ts";
import { localOpenings } from "../../rules/window/local.ts";
import { rangesOf } from "../../rules/window/local-ranges.ts";
import type { OffsetAt } from "../../rules/window/wall-clock.ts";
import type { Window } from "../../rules/window/window.ts";

/** The settings' local times as instants. */
export type LocalTimes = { readonly spans: readonly Window[]; readonly blackouts: readonly Blackout[] };

type ZonePaths = Pick<Paths, "localtime" | "zoneinfo">;

/** Turns the settings' local times into instants within a span; throws if a zone is unknown. Loads the time zones. */
export function workOut(
  { window, localBlackouts }: Pick<Settings, "window" | "localBlackouts">,
  zones: readonly NeededZone[],
  { paths, span }: { readonly paths: ZonePaths; readonly span: Window },
): LocalTimes {
  const faults = zoneFaults(zones, paths);
  if (faults.length > 0) throw settingsFault(faults);
  const clocks = clocksBy(paths);
  return {
    spans: (window?.local ?? []).flatMap((local) =>
      localOpenings(local, span, clocks(local.timezone)).map(({ start, stop }) => ({ start, stop })),
    ),
    blackouts: localBlackouts.flatMap(({ range, timezone: zone, reason }) =>
      rangesOf(range, span, clocks(zone)).map(({ start, stop }) => ({ from: start, to: stop, reason })),
    ),
  };
}

/** The clocks of a named zone; without a name, of the host's zone. */
function clocksBy(paths: ZonePaths): (zone: string | undefined) => OffsetAt {
  return (zone) => clocksOf(zone ?? knownHostZone(paths));
}

/** The host's zone, or UTC. For callers that have checked that the zone is known. */
export function knownHostZone(paths: ZonePaths): string {
  const found = readHostZone(paths, zoneNames);
  return found.kind === "zone" && isZone(found.zone) ? found.zone : "UTC";
}

/** Faults of invalid zones, and of the host's zone if it is unknown. */
export function zoneFaults(zones: readonly NeededZone[], paths: ZonePaths): readonly SettingFault[] {
  return zones.flatMap(({ origin, key, zone }) => {
    if (zone === undefined) {
      const why = whyNoHostZone(paths);
      const allowed = `${allowedFor(timezone)}; or the host's own, set with timedatectl set-timezone`;
      return why === undefined ? [] : [{ origin, key, found: `nothing, and the host's own is not known: ${why}`, allowed }];
    }
    if (isZone(zone)) return [];
    const meant = nearestZone(zone);
    const found = `"${zone}", which is no time zone${meant === undefined ? "" : `, did you mean ${meant}?`}`;
    return [{ origin, key, found, allowed: allowedFor(timezone) }];
  });
}

function whyNoHostZone(paths: ZonePaths): string | undefined {
  const found = readHostZone(paths, zoneNames);
  if (found.kind === "unknown") return found.why;
  return isZone(found.zone) ? undefined : `${paths.localtime} names ${found.zone}, which is no time zone`;
}

/** The nearest zone, also for a city alone: `Berlin` as well as `Europe/Berlim`. */
function nearestZone(zone: string): string | undefined {
  const names = zoneNames();
  const places = new Map(names.map((name) => [name.replace(/^.*\//, ""), name]));
  return nearest(zone, names) ?? places.get(nearest(zone.replace(/^.*\//, ""), [...places.keys()]) ?? "");
}
