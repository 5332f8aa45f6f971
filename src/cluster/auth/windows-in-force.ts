import { storedResource } from "../resource/resource.ts";
import { maintenanceName } from "../resource/maintenance.ts";
import type { ResourceOf } from "../resource/resource.ts";
import type { Store } from "../storage/port.ts";
import { lastButOneOpening, nextOpenings, windowsWithin } from "../../rules/window/next-openings.ts";
import { daySeconds } from "../../rules/window/seconds.ts";
import type { WeeklyWindow } from "../../rules/window/weekly.ts";
import type { UnixSeconds, Window } from "../../rules/window/window.ts";
import { storedOr } from "./row-forms.ts";

/** Shows enough openings to see whether the days are right. */
const mostTold = 3;

/** Windows for the next eight days, so that a host that cannot reach auth for a week still has one. */
const aheadSeconds = 8 * daySeconds;

type Maintenance = ResourceOf<"cluster_maintenance_config">;

export function openingsOf({ spec }: Maintenance, now: UnixSeconds): readonly UnixSeconds[] {
  const { utc_start_hour: utcStartHour, weekdays } = spec.agent_upgrades;
  return nextOpenings({ weekly: { utcStartHour, weekdays }, blackouts: blackoutsOf(spec) }, now, mostTold);
}

type Asked = { readonly channel: string; readonly now: UnixSeconds };

/** The windows of a channel. Undefined if none is configured. */
export async function windowsInForce(store: Pick<Store, "get">, { channel, now }: Asked): Promise<readonly Window[] | undefined> {
  const maintenance = await maintenanceInForce(store);
  return maintenance && windowsWithin(configuredFor(channel, maintenance), now, aheadSeconds);
}

/** For channels: when the last but one of their windows that have closed was opened, if the windows have not been changed since. */
export async function twoWindowsAgoIn(
  store: Pick<Store, "get">,
  now: UnixSeconds,
): Promise<(channel: string) => UnixSeconds | undefined> {
  const found = await findMaintenance(store);
  return (channel) => found && lastButOneOpening(configuredFor(channel, found.maintenance), now, found.changedAt);
}

function configuredFor(channel: string, { spec }: Maintenance): Parameters<typeof windowsWithin>[0] {
  const { agent_upgrades: upgrades } = spec;
  const { utc_start_hour: utcStartHour, weekdays } = upgrades.channels?.[channel] ?? upgrades;
  return { weekly: { utcStartHour, weekdays }, blackouts: blackoutsOf(spec) };
}

type Own = WeeklyWindow & { readonly opens: UnixSeconds | undefined };

/** The window that a channel has for itself. Undefined if it has the cluster's. */
export async function channelWindow(store: Pick<Store, "get">, { channel, now }: Asked): Promise<Own | undefined> {
  const maintenance = await maintenanceInForce(store);
  const own = maintenance?.spec.agent_upgrades.channels?.[channel];
  if (maintenance === undefined || own === undefined) return undefined;
  const weekly = { utcStartHour: own.utc_start_hour, weekdays: own.weekdays };
  const [opens] = nextOpenings({ weekly, blackouts: blackoutsOf(maintenance.spec) }, now, 1);
  return { ...weekly, opens };
}

export async function maintenanceInForce(store: Pick<Store, "get">): Promise<Maintenance | undefined> {
  return (await findMaintenance(store))?.maintenance;
}

type Found = { readonly maintenance: Maintenance; readonly changedAt: UnixSeconds };

async function findMaintenance(store: Pick<Store, "get">): Promise<Found | undefined> {
  const item = await store.get({ kind: "cluster_maintenance_config", name: maintenanceName });
  if (item === undefined) return undefined;
  const stored = storedOr(storedResource(item.body), item);
  return stored.kind === "cluster_maintenance_config" ? { maintenance: stored, changedAt: item.changedAt } : undefined;
}

function blackoutsOf({ agent_upgrades: { blackouts } }: Maintenance["spec"]): readonly Window[] {
  return blackouts.map(({ from, to }) => ({ start: from, stop: to }));
}
