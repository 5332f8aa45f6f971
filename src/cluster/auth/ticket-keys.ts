import { randomBytes } from "node:crypto";
import type { Item, Store } from "../storage/port.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { put } from "./changes.ts";

/**
 * What TLS sessions are sealed with, so that a host resumes at whichever auth it comes to. Whoever has them can make up a session of
 * any host whose certificate they have seen: they are as secret as the authority's key, lie beside it, and last a day.
 */
export type TicketKeys = Buffer;

/** For the name, the digest and the cipher, 16 each: as node takes them. */
const keyBytes = 48;
const rotatedAfterSeconds = 86_400;
/** Another auth's clock may be ahead; one that was years ahead must not keep its keys for years. */
const mostAheadSeconds = 7 * 86_400;

const ticketKey = { kind: "ticket-keys", name: "current" };

/**
 * Those of today, made where there are none: asked at the start, and from time to time. Node takes one set, so a session of yesterday
 * is not resumed: its host shakes hands anew, which costs a millisecond a day and is refused by nobody.
 */
export async function ticketKeysOf(store: Pick<Store, "get" | "commit">, now: UnixSeconds): Promise<TicketKeys> {
  const found = await store.get(ticketKey);
  const kept = found === undefined ? undefined : keptIn(found, now);
  return kept ?? (await rotate(store, { found, now }));
}

/** Undefined: too old, or nothing that serves. */
function keptIn({ body: { keys, made } }: Item, now: UnixSeconds): TicketKeys | undefined {
  if (typeof keys !== "string" || typeof made !== "number") return undefined;
  const read = Buffer.from(keys, "base64");
  const isOfToday = now - made < rotatedAfterSeconds && made - now < mostAheadSeconds;
  return read.length === keyBytes && isOfToday ? read : undefined;
}

type Rotating = { readonly found: Item | undefined; readonly now: UnixSeconds };

async function rotate(store: Pick<Store, "commit">, { found, now }: Rotating): Promise<TicketKeys> {
  const made = randomBytes(keyBytes);
  const changes = [put(ticketKey, { keys: made.toString("base64"), made: now }, found)];
  const committed = await store.commit({ at: now, by: "auth", changes, audit: [] });
  if (committed.kind === "done") return made;
  // Another auth was faster: its keys count. If not even those serve, sessions are not resumed until the next look.
  return (committed.found === undefined ? undefined : keptIn(committed.found, now)) ?? made;
}
