import { line } from "../../rules/settings/read-text.ts";
import { status as rolloutStatus } from "../../rules/rollout/status.ts";
import type { Spec } from "../../rules/rollout/spec.ts";
import { count, record, type Of } from "../../rules/shape/shape.ts";
import { storedResource, type ResourceOf } from "../resource/resource.ts";
import { specOf } from "../resource/rollout.ts";
import type { ItemKey, Store } from "../storage/port.ts";
import type { AuthContext } from "./context.ts";
import { everyItem } from "./every-item.ts";
import { findRow, rowOf, storedOr, type Stored } from "./row-forms.ts";

/** The status of a channel's rollout. The resource that a person wrote is stored apart from it. */
export const standing = record({
  /** The resource's revision that this status belongs to. Another revision begins the rollout anew. */
  follows: line,
  /** The cluster's epoch when this was last written. If it is lower than now, the row came from a backup. */
  epoch: count,
  status: rolloutStatus,
});
export type StandingRow = Of<typeof standing>;

const kind = "rollout-status";
/** Marks a channel that a person released although the restored store does not know its rollout. */
export const releasedKind = "rollout-released";

/** Whether the store has every decision about a rollout. A backup may lack the last ones, so a restored rollout waits for a person. */
export function isSettled({ epoch }: Pick<StandingRow, "epoch">, cluster: { readonly epoch: number }): boolean {
  return epoch >= cluster.epoch;
}

export function standingKey(channel: string): ItemKey {
  return { kind, name: channel };
}

/** A rollout as a person wrote it. */
export type Written = { readonly name: string; readonly revision: string; readonly spec: Spec };

type Reading = Pick<AuthContext, "store" | "times">;

export async function everyRollout({ store, times }: Reading): Promise<readonly Written[]> {
  const found: Written[] = [];
  for await (const item of everyItem(store, "rollout")) {
    const spec = specOf((storedOr(storedResource(item.body), item) as ResourceOf<"rollout">).spec, times.reportSeconds);
    // If two people wrote rollouts of one channel at the same time, the first by name counts.
    if (found.every((other) => other.spec.channel !== spec.channel))
      found.push({ name: item.name, revision: item.revision, spec });
  }
  return found;
}

export function findStanding(store: Pick<Store, "get">, channel: string): Promise<Stored<StandingRow> | undefined> {
  return findRow(store, standing, standingKey(channel));
}

/** All rows by their channel, also those of removed rollouts. */
export async function everyStanding(store: Pick<Store, "list">): Promise<ReadonlyMap<string, StandingRow>> {
  const found = new Map<string, StandingRow>();
  for await (const item of everyItem(store, kind)) found.set(item.name, rowOf(standing, item));
  return found;
}
