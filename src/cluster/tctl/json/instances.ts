import type { InstanceJson } from "../../api/generated/svc/v1/instance_pb.ts";
import { always, answer, line, list, recordOf, sometimes } from "../../../rules/shape/answer.ts";
import { truth } from "../../../rules/shape/shape.ts";
import { labels } from "./tokens.ts";

const instance = recordOf<InstanceJson>("an instance that has joined")({
  id: always("a UUID", line, ({ id }) => id ?? ""),
  kind: always("node, proxy or auth", line, ({ kind }) => kind ?? ""),
  hostname: always("as it said itself", line, (found) => found.hostname ?? ""),
  services: always("what it runs", list(line), ({ services }) => services ?? []),
  version: always("as it said itself", line, (found) => found.version ?? ""),
  labels: always("given by its token and tctl instances label", labels, (found) => found.labels ?? {}),
  ephemeral: always("whether it is forgotten soon after it falls silent", truth, ({ ephemeral }) => ephemeral ?? false),
  joined: sometimes("when", line, "joined"),
  renewed: sometimes("when its certificate was last renewed", line, "renewed"),
  certificate_until: sometimes("how long its certificate is good", line, "certificateUntil"),
  token: sometimes("the token that it joined by", line, "token"),
  cloned: sometimes("when it was last seen that two hosts use its key", line, "cloned"),
  removed: sometimes("when it was removed", line, "removed"),
});

export const instancesAnswer = answer<readonly InstanceJson[]>("Who has joined the cluster.")({
  instances: always("one each", list(instance), (found: readonly InstanceJson[]) => found),
});

export type LabelledInstance = { readonly id: string; readonly hostname: string; readonly labels: Record<string, string> };

export const labelledInstanceAnswer = answer<LabelledInstance>("An instance and its labels.")({
  id: always("a UUID", line, "id"),
  hostname: always("as it had said itself", line, "hostname"),
  labels: always("as they are now", labels, (found) => found.labels),
});

export type RemovedInstance = { readonly id: string; readonly hostname: string };

export const removedInstanceAnswer = answer<RemovedInstance>("An instance that is refused from now on.")({
  id: always("a UUID", line, "id"),
  hostname: always("as it had said itself", line, "hostname"),
});
