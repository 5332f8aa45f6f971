import { randomBytes } from "node:crypto";
import type { Item, Store } from "../storage/port.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { put } from "./changes.ts";

/**
 * Keys that seal TLS sessions, so that a host can resume at every auth. They can forge a session of any host whose certificate is known, so they are
 * as secret as the authority's key, and last a day.
 */
export type TicketKeys = Buffer;

/** Node takes 16 bytes each for the name, the digest and the cipher. */
const keyBytes = 48;
const rotatedAfterSeconds = 86_400;
/** How far another auth's clock may be ahead. Keys from years ahead must not last for years. */
const mostAheadSeconds = 7 * 86_400;

const ticketKey = { kind: "ticket-keys", name: "current" };

/** Returns today's keys, and makes them if needed. Node takes one set, so each host makes a full handshake once a day, which costs a millisecond. */
export async function ticketKeysOf(store: Pick<Store, "get" | "commit">, now: UnixSeconds): Promise<TicketKeys> {
  const found = await store.get(ticketKey);
  const kept = found === undefined ? undefined : keptIn(found, now);
  return kept ?? (await rotate(store, { found, now }));
}

/** Undefined if the keys are too old or unreadable. */
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
  // Another auth was faster, so its keys count. If they are unusable, sessions do not resume until the next look.
  return (committed.found === undefined ? undefined : keptIn(committed.found, now)) ?? made;
}
