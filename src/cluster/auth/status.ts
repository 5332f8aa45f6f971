import type { ClusterService } from "../api/generated/svc/v1/cluster_pb.ts";
import { instanceKinds, type InstanceKind } from "../identity/names.ts";
import type { Store } from "../storage/port.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Caller } from "./caller.ts";
import type { AuthContext } from "./context.ts";
import type { HandlersOf } from "./handlers.ts";
import { everyItem } from "./every-item.ts";
import { countWaiting } from "./inventory.ts";
import { maintenanceInForce, openingsOf } from "./windows-in-force.ts";
import { judgingBy } from "./silence.ts";
import { sshAuthorities } from "./ssh-authority.ts";
import { timestamp } from "./timestamp.ts";

/** Hosts ask once an hour for the pins alone, so an older count will do. */
const rememberSeconds = 30;

type Counted = { readonly instances: ReadonlyMap<InstanceKind, number>; readonly waitingHosts: number };

/** Counting walks over all instances. One walk runs at a time, and serves all who asked before it began. */
export function answerStatus(): HandlersOf<typeof ClusterService>["getStatus"] {
  let latest: { readonly at: UnixSeconds; readonly counted: Promise<Counted> } | undefined;
  let next: Promise<Counted> | undefined;

  function walk(context: AuthContext): Promise<Counted> {
    const begun = { at: context.now(), counted: count(context) };
    next = undefined;
    latest = begun;
    begun.counted.catch(() => {
      if (latest === begun) latest = undefined;
    });
    return begun.counted;
  }

  function counted(context: AuthContext, caller: Caller): Promise<Counted> {
    const isRecent = latest !== undefined && Math.abs(context.now() - latest.at) < rememberSeconds;
    if (latest !== undefined && isRecent && caller.kind === "instance") return latest.counted;
    const begin = (): Promise<Counted> => walk(context);
    next ??= Promise.resolve(latest?.counted).then(begin, begin);
    return next;
  }

  return async (context, caller) => {
    const { store, cluster, authorities, version, now } = context;
    const [about, maintenance, { instances, waitingHosts }] = await Promise.all([
      store.about(),
      maintenanceInForce(store),
      counted(context, caller),
    ]);
    const linesOf = async (use: "user" | "host"): Promise<string[]> =>
      (await sshAuthorities(store, use, cluster.name)).map(({ line }) => line);
    return {
      clusterName: cluster.name,
      clusterId: cluster.id,
      epoch: cluster.epoch,
      version,
      caPins: authorities.trusted.map(({ pin }) => pin),
      now: timestamp(now()),
      store: about.adapter,
      storeSchema: about.schema,
      storeFault: store.failing()?.message ?? "",
      instances: [...instances].map(([kind, found]) => ({ kind, count: found })),
      nextOpenings: maintenance === undefined ? [] : openingsOf(maintenance, now()).map(timestamp),
      waitingHosts: maintenance === undefined ? waitingHosts : 0,
      sshUserAuthorities: await linesOf("user"),
      sshHostAuthorities: await linesOf("host"),
    };
  };
}

async function count(context: AuthContext): Promise<Counted> {
  const [instances, maintenance] = await Promise.all([countInstances(context.store), maintenanceInForce(context.store)]);
  return { instances, waitingHosts: maintenance === undefined ? await countWaiting(context, await judgingBy(context)) : 0 };
}

/** Counts instances by kind, without removed ones. */
export async function countInstances(store: Pick<Store, "list">): Promise<ReadonlyMap<InstanceKind, number>> {
  const counts = new Map<InstanceKind, number>(instanceKinds.map((kind) => [kind, 0]));
  for await (const { body } of everyItem(store, "instance")) {
    const kind = instanceKinds.find((one) => one === body["kind"]);
    const isRemoved = (body["removed"] ?? null) !== null;
    if (kind !== undefined && !isRemoved) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}
