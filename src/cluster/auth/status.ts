import type { ClusterService } from "../api/generated/svc/v1/cluster_pb.ts";
import { instanceKinds, type InstanceKind } from "../identity/names.ts";
import type { Store } from "../storage/port.ts";
import type { HandlersOf } from "./handlers.ts";
import { everyItem } from "./every-item.ts";
import { countWaiting } from "./inventory.ts";
import { maintenanceInForce, openingsOf } from "./windows-in-force.ts";
import { judgingBy } from "./silence.ts";
import { timestamp } from "./timestamp.ts";

export const getStatus: HandlersOf<typeof ClusterService>["getStatus"] = async (context) => {
  const { store, cluster, authorities, version, now } = context;
  const [about, counts, maintenance] = await Promise.all([store.about(), countInstances(store), maintenanceInForce(store)]);
  return {
    clusterName: cluster.name,
    clusterId: cluster.id,
    epoch: cluster.epoch,
    version,
    caPins: authorities.trusted.map(({ pin }) => pin),
    now: timestamp(now()),
    store: about.adapter,
    storeSchema: about.schema,
    instances: [...counts].map(([kind, count]) => ({ kind, count })),
    nextOpenings: maintenance === undefined ? [] : openingsOf(maintenance, now()).map(timestamp),
    waitingHosts: maintenance === undefined ? await countWaiting(context, await judgingBy(context)) : 0,
  };
};

/** Those that were not removed, by kind. */
export async function countInstances(store: Pick<Store, "list">): Promise<ReadonlyMap<InstanceKind, number>> {
  const counts = new Map<InstanceKind, number>(instanceKinds.map((kind) => [kind, 0]));
  for await (const { body } of everyItem(store, "instance")) {
    const kind = instanceKinds.find((one) => one === body["kind"]);
    const isRemoved = (body["removed"] ?? null) !== null;
    if (kind !== undefined && !isRemoved) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}
