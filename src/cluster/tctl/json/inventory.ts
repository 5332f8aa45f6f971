import type { InventoryEntryJson, RolloutPlaceJson } from "../../api/generated/svc/v1/inventory_pb.ts";
import { details, type Described } from "../../api/report.ts";
import { always, answer, line, list, recordOf, sometimes, type Keys } from "../../../rules/shape/answer.ts";
import { count, truth, type Shape } from "../../../rules/shape/shape.ts";
import { labels } from "./tokens.ts";
import type { Mapping } from "../../../rules/shape/reading.ts";

const shownAs = { text: line, texts: list(line), flag: truth, number: count, time: line, labels } as const;

/** Makes keys of an answer. An optional field becomes an optional key. */
function keysOf({ rows }: Described): Keys<Mapping> {
  const keys = rows.map(({ name, inMessage, is, says, form }) => {
    const of = (typeof is === "string" ? shownAs[is] : recordOf<Mapping>()(keysOf(is))) as Shape<unknown>;
    const missing = form.kind === "else" ? form.missing : "";
    return form.kind === "maybe"
      ? [name, sometimes(says, of, (message: Mapping) => message[inMessage])]
      : [name, always(says, of, (message: Mapping) => message[inMessage] ?? missing)];
  });
  return Object.fromEntries(keys) as Keys<Mapping>;
}

const place = recordOf<RolloutPlaceJson>("a host's place in a rollout")({
  rollout: always("its name", line, ({ rollout }) => rollout ?? ""),
  stage: always("the stage that the host is in", line, ({ stage }) => stage ?? ""),
  standing: always("proven, moving, failed, silent, waiting, or `blocked: ` and why", line, ({ standing }) => standing ?? ""),
});

const entry = recordOf<InventoryEntryJson>("an instance with its last report")({
  id: always("a UUID", line, ({ id }) => id ?? ""),
  hostname: always("as it said itself", line, (found) => found.hostname ?? ""),
  services: always("what it runs: node, proxy or auth", list(line), ({ services }) => services ?? []),
  version: always("as it said itself", line, (found) => found.version ?? ""),
  upgrader: always("unit, kube, or none: not enrolled in automatic updates", line, ({ upgrader }) => upgrader ?? ""),
  silent: always("whether it has missed three reports without a goodbye", truth, ({ silent }) => silent ?? false),
  gone: always("whether it went down in order", truth, ({ gone }) => gone ?? false),
  misfit: sometimes("newer or older: its version does not go with auth's; missing where it does", line, ({ misfit }) =>
    misfit === "" ? undefined : misfit,
  ),
  reported: sometimes("when its last report came; missing where none did", line, "reported"),
  rollout: sometimes("of inventory show: its place in the rollout of its channel; missing where it has none", place, "rollout"),
  labels: always("given to it; its own begin with host/", labels, (found) => found.labels ?? {}),
  ...keysOf(details),
});

export type Inventory = { readonly entries: readonly InventoryEntryJson[]; readonly now: string };

export const inventoryAnswer = answer<Inventory>("Every instance, with what it reported last.")({
  now: always("by auth's clock", line, "now"),
  instances: always("one each", list(entry), "entries"),
});
