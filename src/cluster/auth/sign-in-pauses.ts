import { hash } from "node:crypto";
import { count, record } from "../../rules/shape/shape.ts";
import type { ItemKey, Store } from "../storage/port.ts";
import { deleteAll, overtaken, put, retrying } from "./changes.ts";
import { everyItem } from "./every-item.ts";
import { bodyOf, findRow } from "./row-forms.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

/**
 * Pauses after wrong passwords, by user and network: the same user can sign in from elsewhere without a pause. Memory is limited: a forgotten entry
 * allows some more attempts, and locks nobody out.
 */
export type Pauses = { readonly begin: (tried: Tried) => Attempt | Promise<Attempt> };

export type Tried = { readonly user: string; readonly network: string; readonly now: UnixSeconds };

export type Attempt = {
  /** 0 means: try it. Each attempt counts as refused until it succeeds, so that many at once do not all pass. */
  readonly waitSeconds: number;
  /** Call this if the password was right. */
  readonly succeed: () => void | Promise<void>;
  /** Call this if the password was not compared. */
  readonly takeBack: () => void | Promise<void>;
};

export const freeAttempts = 3;
export const mostPauseSeconds = 300;
const forgottenAfterSeconds = 3600;
const mostNetworks = 10_000;
/** The most users that one network tries. Further ones share one count. */
const mostUsers = 64;
const others = "";

type Entry = { refused: number; until: UnixSeconds; last: UnixSeconds };

type InMemory = { readonly succeed: () => void; readonly takeBack: () => void; readonly waitSeconds: number };

export function makePauses(limits = { mostNetworks, mostUsers }): {
  readonly begin: (tried: Tried) => InMemory;
  readonly size: () => number;
} {
  /** The networks, the least recent first. */
  const networks = new Map<string, Map<string, Entry>>();

  function entriesOf(network: string): Map<string, Entry> {
    const entries = networks.get(network) ?? new Map<string, Entry>();
    networks.delete(network);
    networks.set(network, entries);
    const [oldest] = networks.keys();
    if (networks.size > limits.mostNetworks && oldest !== undefined) networks.delete(oldest);
    return entries;
  }

  return {
    begin: ({ user, network, now }) => {
      const entries = entriesOf(network);
      const name = entries.has(user) || entries.size < limits.mostUsers ? user : others;
      const entry = currentOf(entries.get(name), now);
      entries.set(name, entry);
      const waitSeconds = Math.max(0, entry.until - now);
      if (waitSeconds > 0) return { waitSeconds, succeed: () => undefined, takeBack: () => undefined };
      entry.refused += 1;
      entry.last = now;
      entry.until = now + pauseAfter(entry.refused);
      return {
        waitSeconds,
        // The count that further users share stays.
        succeed: () => void (name === user && entries.delete(name)),
        takeBack: () => {
          entry.refused -= 1;
          entry.until = now;
        },
      };
    },
    size: () => [...networks.values()].reduce((sum, { size }) => sum + size, 0),
  };
}

const kind = "pause";
/** The most entries in the store; more are not kept. Hashing a password limits how fast they come. */
const mostStored = 100_000;
const form = record({ refused: count, until: count, last: count });

/** Keeps pauses in the store too, so that all auth services on it count the same. What this one refuses by itself never comes there. */
export function pausesIn(store: Pick<Store, "get" | "count" | "commit">, own: ReturnType<typeof makePauses>): Pauses {
  /** Undefined if the entry is not kept. */
  function change(key: ItemKey, now: UnixSeconds, next: (entry: Entry) => Entry | undefined): Promise<Entry | undefined> {
    return retrying(
      async () => {
        const found = await findRow(store, form, key);
        const entry = currentOf(found?.row, now);
        const after = next({ ...entry });
        if (after === undefined) return entry;
        if (found === undefined && (await store.count(kind)) >= mostStored) return undefined;
        const changes = [put(key, bodyOf(form, after), found?.item)];
        return (await store.commit({ at: now, by: "auth", changes, audit: [] })).kind === "done" ? entry : overtaken;
      },
      { message: "too many sign in as the same user at the same time" },
    );
  }

  return {
    begin: async (tried) => {
      const here = own.begin(tried);
      if (here.waitSeconds > 0) return here;
      const { user, network, now } = tried;
      const key = { kind, name: hash("sha256", `${network} ${user}`) };
      const found = await change(key, now, ({ refused, until }) =>
        until > now ? undefined : { refused: refused + 1, last: now, until: now + pauseAfter(refused + 1) },
      );
      const waitSeconds = Math.max(0, (found?.until ?? now) - now);
      if (waitSeconds > 0) here.takeBack();
      return {
        waitSeconds,
        succeed: async () => {
          here.succeed();
          await deleteAll(store, [key], now);
        },
        takeBack: async () => {
          here.takeBack();
          await change(key, now, ({ refused, last }) => ({ refused: Math.max(0, refused - 1), last, until: now }));
        },
      };
    },
  };
}

export async function forgetOldPauses(store: Pick<Store, "list" | "commit">, now: UnixSeconds): Promise<void> {
  const old: ItemKey[] = [];
  for await (const item of everyItem(store, kind)) {
    if (now - item.changedAt > forgottenAfterSeconds) old.push(item);
  }
  await deleteAll(store, old, now);
}

/** Forgets an entry after an hour, or if the clock was set back. */
function currentOf(entry: Entry | undefined, now: UnixSeconds): Entry {
  const isOver = entry === undefined || now - entry.last > forgottenAfterSeconds || entry.until - now > mostPauseSeconds;
  return isOver ? { refused: 0, until: now, last: now } : entry;
}

function pauseAfter(refused: number): number {
  return refused < freeAttempts ? 0 : Math.min(2 ** (refused - freeAttempts), mostPauseSeconds);
}
