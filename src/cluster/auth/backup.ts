import type { ClusterService } from "../api/generated/svc/v1/cluster_pb.ts";
import { printBackup } from "../storage/backup-file.ts";
import { clusterKey, damaged } from "./cluster.ts";
import { commitFor } from "./commit.ts";
import type { HandlersOf } from "./handlers.ts";

/** A backup holds the CA's key, so the audit says who took it before the first byte goes out. */
export const backup: HandlersOf<typeof ClusterService>["backup"] = async function* (context, caller) {
  const { store, cluster, version: release, now } = context;
  // Refuses a store without the cluster's row: nobody could restore such a backup.
  if ((await store.get(clusterKey)) === undefined) throw damaged("the cluster is not in it any more");
  await commitFor(caller, { changes: [], audit: [{ event: "cluster.backup", kind: "cluster", name: "cluster" }] }, context);
  const header = {
    kind: "header",
    format: 1,
    cluster: cluster.name,
    cluster_id: cluster.id,
    epoch: cluster.epoch,
    release,
    at: now(),
  } as const;
  for await (const chunk of printBackup(header, store.dump())) yield { chunk };
};
