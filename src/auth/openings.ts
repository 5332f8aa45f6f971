import { readResource } from "../resource/resource.ts";
import { maintenanceName } from "../resource/maintenance.ts";
import type { ResourceOf } from "../resource/resource.ts";
import type { Store } from "../storage/port.ts";
import { nextOpenings } from "../window/next-openings.ts";
import type { UnixSeconds } from "../window/window.ts";

/** Enough to see whether the days are meant. */
const mostTold = 3;

export function openingsOf({ spec }: ResourceOf<"cluster_maintenance_config">, now: UnixSeconds): readonly UnixSeconds[] {
  const { utc_start_hour: utcStartHour, weekdays, blackouts } = spec.agent_upgrades;
  const spans = blackouts.map(({ from, to }) => ({ start: from, stop: to }));
  return nextOpenings({ weekly: { utcStartHour, weekdays }, blackouts: spans }, now, mostTold);
}

/** Of the configuration in force; none where there is none. */
export async function openingsInForce(store: Pick<Store, "get">, now: UnixSeconds): Promise<readonly UnixSeconds[]> {
  const item = await store.get({ kind: "cluster_maintenance_config", name: maintenanceName });
  const reading = item === undefined ? undefined : readResource(item.body, "store");
  if (reading?.kind !== "value" || reading.value.kind !== "cluster_maintenance_config") return [];
  return openingsOf(reading.value, now);
}
