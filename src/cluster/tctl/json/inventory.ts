import type { DecisionJson, InventoryEntryJson, OutcomeJson, UpdaterJson } from "../../api/generated/svc/v1/inventory_pb.ts";
import { always, answer, line, list, record, sometimes, truth } from "../../../rules/shape/json-answer.ts";

const decision = record<DecisionJson>("what it last decided, in its own words")({
  kind: always("stay, move or stop; later releases may have more", line, ({ kind }) => kind ?? ""),
  why: always("the reason, as svc-upgrade status has it", line, ({ why }) => why ?? ""),
  until: sometimes("until when, where that is known", line, "until"),
});

const outcome = record<OutcomeJson>("how its last move ended")({
  kind: always("moved, undone, failed, stopped or stayed; later releases may have more", line, ({ kind }) => kind ?? ""),
  version: always("of which version", line, (found) => found.version ?? ""),
  fault: sometimes("the code of its fault", line, "fault"),
  at: sometimes("when", line, "at"),
});

const updater = record<UpdaterJson>("what the updater of the host has left for everybody to read")({
  kind: always("unit (its timer is on), off (its timer is off) or kube", line, ({ kind }) => kind ?? ""),
  package: always("the package that it keeps", line, (found) => found.package ?? ""),
  channel: always("the channel that it follows", line, ({ channel }) => channel ?? ""),
  installed: always("the version that is installed", line, ({ installed }) => installed ?? ""),
  served: always("the version that the channel serves; empty where none was heard", line, ({ served }) => served ?? ""),
  decision: sometimes("what it last decided", decision, "decision"),
  step: sometimes("the step of a move that is under way", line, "step"),
  outcome: sometimes("how its last move ended", outcome, "outcome"),
  rejected: always("versions that failed there", list(line), ({ rejected }) => rejected ?? []),
  held: always("whether root holds it", truth, ({ held }) => held ?? false),
  held_until: sometimes("until when root holds it", line, "heldUntil"),
  window: always(
    "whose window it heeds: schedule (the cluster's), setting (its own) or none",
    line,
    (found) => found.window ?? "",
  ),
  looked: sometimes("when its last pass began", line, "looked"),
});

const entry = record<InventoryEntryJson>("an instance with its last report")({
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
  updater: sometimes("missing where none is installed", updater, "updater"),
});

export type Inventory = { readonly entries: readonly InventoryEntryJson[]; readonly now: string };

export const inventoryAnswer = answer<Inventory>("Every instance, with what it reported last.")({
  now: always("by auth's clock", line, "now"),
  instances: always("one each", list(entry), "entries"),
});
