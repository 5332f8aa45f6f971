import type { AuditKind } from "../access/permission.ts";
import { Fault } from "../../rules/fault/fault.ts";
import {
  mostRows,
  type AuditEntry,
  type Change,
  type Expectation,
  type Item,
  type ItemKey,
  type JsonObject,
  type Store,
} from "../storage/port.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

/** An audit entry of a call, whose caller is the actor. `kind` is empty if the entry is about all kinds. */
export type Told = Pick<AuditEntry, "event" | "name"> &
  Partial<Pick<AuditEntry, "before" | "after" | "detail">> & { readonly kind: AuditKind | "" };

export function entryBy(actor: string, origin: string, told: Told): AuditEntry {
  return { before: undefined, after: undefined, detail: "", actor, origin, ...told };
}

/** A change that overwrites `before`, the item as it was read, and fails if it has changed. `before` is undefined for a new item. */
export function put(item: ItemKey, body: JsonObject, before: Item | undefined): Change {
  return { kind: "put", item, body, expect: asRead(before) };
}

export function deletion({ kind, name }: ItemKey): Change {
  return { kind: "delete", item: { kind, name }, expect: { kind: "anything" } };
}

export async function deleteAll(store: Pick<Store, "commit">, items: readonly ItemKey[], at: UnixSeconds): Promise<void> {
  for (let from = 0; from < items.length; from += mostRows) {
    const changes = items.slice(from, from + mostRows).map(deletion);
    await store.commit({ at, by: "auth", changes, audit: [] });
  }
}

export function asRead(before: Item | undefined): Expectation {
  return before === undefined ? { kind: "absent" } : { kind: "revision", revision: before.revision };
}

/** An attempt returns this if somebody else changed what it had read. */
export const overtaken: unique symbol = Symbol("overtaken");

type Busy = { readonly message: string; readonly hint?: string; readonly mostTries?: number };

/** Repeats an attempt that others overtook. After too many tries, the caller has to ask again. */
export async function retrying<T>(attempt: () => Promise<T | typeof overtaken>, busy: Busy): Promise<T> {
  const { message, hint = "ask again", mostTries = 5 } = busy;
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const done = await attempt();
    if (done !== overtaken) return done;
  }
  throw new Fault("auth-busy", { message, hint });
}
