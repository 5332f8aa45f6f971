import type { GetStatusResponseJson, InstanceCountJson } from "../../api/generated/svc/v1/cluster_pb.ts";
import { always, answer, line, list, recordOf, sometimes } from "../../../rules/shape/answer.ts";
import { count } from "../../../rules/shape/shape.ts";

const counted = recordOf<InstanceCountJson>("how many there are of a kind")({
  kind: always("node, proxy or auth", line, ({ kind }) => kind ?? ""),
  count: always("of those that were not removed", count, (found) => found.count ?? 0),
});

export const statusAnswer = answer<GetStatusResponseJson>("What the cluster is, as auth tells it.")({
  cluster: always("its name", line, ({ clusterName }) => clusterName ?? ""),
  cluster_id: always("made with the cluster, a UUID", line, ({ clusterId }) => clusterId ?? ""),
  version: always("of the auth service", line, (found) => found.version ?? ""),
  ca_pins: always("of each certificate authority that is trusted, what svc join takes", list(line), ({ caPins }) => caPins ?? []),
  ssh_user_authorities: always(
    "who signs people's SSH certificates, as lines of an authorized keys file",
    list(line),
    (found) => found.sshUserAuthorities ?? [],
  ),
  ssh_host_authorities: always(
    "who signs the certificates of hosts' sshd, as such lines",
    list(line),
    (found) => found.sshHostAuthorities ?? [],
  ),
  store: always("where the cluster is kept: sqlite or postgresql", line, (found) => found.store ?? ""),
  store_schema: always("which migrations the store has seen", count, ({ storeSchema }) => storeSchema ?? 0),
  store_fault: sometimes("why changes fail at the moment", line, ({ storeFault }) => storeFault),
  epoch: always("rises with every restore", count, (found) => found.epoch ?? 0),
  instances: always("who has joined", list(counted), (found) => found.instances ?? []),
  next_openings: always(
    "of the maintenance window; empty where none is configured",
    list(line),
    ({ nextOpenings }) => nextOpenings ?? [],
  ),
  waiting_hosts: always("how many hosts wait for a window, where none is configured", count, (found) => found.waitingHosts ?? 0),
});
