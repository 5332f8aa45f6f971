import type { ClusterService } from "../api/generated/svc/v1/cluster_pb.ts";
import { instanceKinds, type InstanceKind } from "../identity/names.ts";
import type { AuthContext } from "./context.ts";
import type { HandlersOf } from "./handlers.ts";
import { reportedAfter, type Reading } from "./list-reported.ts";
import { maintenanceInForce, openingsOf } from "./windows-in-force.ts";
import { isForgotten, judgingBy } from "./silence.ts";
import { sshAuthorities } from "./ssh-authority.ts";
import { timestamp } from "./timestamp.ts";
import { remembering, type Remembering } from "./remembering.ts";

export type Counting = Reading & Pick<AuthContext, "store" | "times" | "now">;
type Counted = { readonly instances: ReadonlyMap<InstanceKind, number>; readonly waitingHosts: number };

export function answerStatus(): HandlersOf<typeof ClusterService>["getStatus"] {
  let counting: Remembering<Counted> | undefined;
  return async (context, caller) => {
    counting ??= remembering(context.now, () => countInstances(context));
    const { store, cluster, authorities, version, now } = context;
    const [about, maintenance, { instances, waitingHosts }] = await Promise.all([
      store.about(),
      maintenanceInForce(store),
      // Hosts ask once an hour for the pins alone, so an older count will do.
      caller.kind === "instance" ? counting.last() : counting.anew(),
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

/** Counts instances by kind, without removed ones; and hosts that wait for a window of the cluster: they have an agent, and no window of their own. */
export async function countInstances(context: Counting): Promise<Counted> {
  const judging = await judgingBy(context);
  const instances = new Map<InstanceKind, number>(instanceKinds.map((kind) => [kind, 0]));
  let waitingHosts = 0;
  for await (const reported of reportedAfter(context, "")) {
    const { kind, removed } = reported.row;
    if (removed !== undefined) continue;
    instances.set(kind, (instances.get(kind) ?? 0) + 1);
    const window = reported.report?.updater?.window;
    if ((window === "schedule" || window === "none") && !isForgotten(reported, judging)) waitingHosts += 1;
  }
  return { instances, waitingHosts };
}
