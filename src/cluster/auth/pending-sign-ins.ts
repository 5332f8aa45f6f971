import { createHash, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import { Fault, type AnyFaultCode } from "../../rules/fault/fault.ts";
import type { Thumbprint } from "../identity/proof.ts";
import type { ResourceName } from "../resource/name.ts";
import type { Item, ItemKey, JsonObject, Store } from "../storage/port.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { asRead, deleteAll, put } from "./changes.ts";
import type { SignInKind } from "./connectors.ts";
import { everyItem } from "./every-item.ts";
import type { Claimed, Visit } from "./provider.ts";

/** Who a provider says that somebody is. */
export type Identity = {
  readonly user: string;
  /** KIND/NAME. */
  readonly connector: string;
  readonly issuer: string;
  readonly subject: string;
  readonly roles: readonly string[];
};

type Begun = {
  readonly connector: { readonly kind: SignInKind; readonly name: ResourceName };
  readonly client: string;
  /** What the sign-in is for. A test begins no session. */
  readonly purpose: "session" | "test";
  /** The key of the session or of the `tsh` that began the sign-in. Only this key can end it. */
  readonly key: Thumbprint | "root";
  readonly address: string;
};

type Row = Begun & {
  readonly until: UnixSeconds;
  /** How often a browser opened the address. */
  readonly opened: number;
  readonly at: Place;
};

/** A sign-in through a browser that has not ended. */
export type Pending = Row & { readonly id: string; readonly item: Item };

type Place =
  | { readonly kind: "begun" }
  /** The browser was sent to the provider. `cookie` is the digest of the value that this browser keeps, in hex. */
  | { readonly kind: "away"; readonly visit: Visit; readonly cookie: string }
  /** The browser has brought the provider's answer, and auth is checking it. */
  | { readonly kind: "back" }
  /** `revision` is that of the connector that gave the roles. */
  | {
      readonly kind: "ready";
      readonly identity: Identity;
      readonly revision: string;
      readonly code: string;
      readonly tries: number;
    }
  | {
      readonly kind: "tested";
      readonly claimed: Claimed;
      readonly roles: readonly string[];
      readonly refused: Refusal | undefined;
    }
  | { readonly kind: "refused"; readonly fault: Refusal };

/** A fault as it is stored. */
export type Refusal = { readonly code: AnyFaultCode; readonly message: string; readonly hint: string };

export const pendingSeconds = 600;
export const mostTries = 3;
const mostToldInMinute = 60;
/** How many sign-ins may be pending in all, and from one network: somebody who begins thousands keeps only their own network out. */
const most = { all: 10_000, ofNetwork: 256 };
/** Each opening asks the provider, so their number is limited. */
export const mostOpenings = 10;

/** Pending sign-ins are in the store, because the browser may reach another auth than `tsh`. */
export type PendingSignIns = {
  /** Undefined if there are too many. */
  readonly begin: (asked: Begun & { readonly from: string; readonly now: UnixSeconds }) => Promise<Pending | undefined>;
  readonly find: (id: string, now: UnixSeconds) => Promise<Pending | undefined>;
  readonly findByState: (state: string, now: UnixSeconds) => Promise<Pending | undefined>;
  /** Undefined if the sign-in has moved on meanwhile. */
  readonly move: (pending: Pending, to: Partial<Pick<Row, "at" | "opened">>) => Promise<Pending | undefined>;
  /** False if the sign-in has moved on meanwhile. */
  readonly end: (pending: Pending) => Promise<boolean>;
  /** Ends the sign-ins that would sign this user in. */
  readonly endOf: (user: string) => Promise<void>;
  readonly forgetOld: (now: UnixSeconds) => Promise<void>;
  /** Counts a refusal. False after 60 in one minute, because strangers could fill the audit. Metrics count all. */
  readonly mayTell: (now: UnixSeconds) => boolean;
};

const kind = "sign-in";

export function makePendingSignIns(store: Pick<Store, "get" | "list" | "count" | "commit">): PendingSignIns {
  /** Sign-ins that began at this auth, by network and id, the oldest first. */
  const begunFrom = new Map<string, Map<string, { readonly until: UnixSeconds; isRefused: boolean }>>();
  let told = { minute: 0, count: 0 };

  /** Returns false if this network has too many. To make room, it forgets one that was refused and only waits to say so. */
  async function makeRoom(from: string, now: UnixSeconds): Promise<boolean> {
    for (const [network, own] of begunFrom) {
      for (const [id, { until }] of own) if (until <= now) own.delete(id);
      if (own.size === 0) begunFrom.delete(network);
    }
    const own = begunFrom.get(from) ?? new Map<string, { readonly until: UnixSeconds; isRefused: boolean }>();
    if (own.size < most.ofNetwork) return (await store.count(kind)) < most.all;
    const [oldest] = [...own].find(([, { isRefused }]) => isRefused) ?? [];
    if (oldest === undefined) return false;
    own.delete(oldest);
    await deleteAll(store, [{ kind, name: oldest }], now);
    return true;
  }

  async function write(pending: Omit<Pending, "item">, before: Item | undefined): Promise<Pending | undefined> {
    const { id, connector, client, purpose, key, address, until, opened, at } = pending;
    // Drops undefined fields.
    const body = JSON.parse(
      JSON.stringify({ connector, client, purpose, key, address, until, opened, at } satisfies Row),
    ) as JsonObject;
    const change = put({ kind, name: id }, body, before);
    const changedAt = until - pendingSeconds;
    const committed = await store.commit({ at: changedAt, by: "auth", changes: [change], audit: [] });
    if (committed.kind === "overtaken") return undefined;
    return { ...pending, item: { ...change.item, revision: committed.revision, changedAt, changedBy: "auth", body } };
  }

  function noteRefused(pending: Pending): void {
    for (const own of begunFrom.values()) {
      const one = own.get(pending.id);
      if (one !== undefined) one.isRefused = true;
    }
  }

  const find: PendingSignIns["find"] = async (id, now) => {
    const item = await store.get({ kind, name: id });
    if (item === undefined) return undefined;
    const pending = readPending(item);
    if (pending.until > now) return pending;
    await deleteAll(store, [item], now);
    return undefined;
  };

  return {
    begin: async ({ now, from, ...asked }) => {
      if (!(await makeRoom(from, now))) return undefined;
      const id = randomBytes(16).toString("hex");
      const until = now + pendingSeconds;
      const own = begunFrom.get(from) ?? new Map<string, { readonly until: UnixSeconds; isRefused: boolean }>();
      begunFrom.set(from, own.set(id, { until, isRefused: false }));
      return write({ ...asked, id, until, opened: 0, at: { kind: "begun" } }, undefined);
    },
    find,
    findByState: async (state, now) => {
      const [id = ""] = /^[0-9a-f]{32}/.exec(state) ?? [];
      const found = id === "" ? undefined : await find(id, now);
      return found?.at.kind === "away" && isDigestOf(digestOf(found.at.visit.state), state) ? found : undefined;
    },
    move: (pending, to) => {
      if (to.at?.kind === "refused") noteRefused(pending);
      return write({ ...pending, ...to }, pending.item);
    },
    end: async ({ item }) => {
      const change = { kind: "delete", item, expect: asRead(item) } as const;
      return (await store.commit({ at: item.changedAt, by: "auth", changes: [change], audit: [] })).kind === "done";
    },
    endOf: async (user) => {
      for await (const item of everyItem(store, kind)) {
        const { at } = readPending(item);
        if (at.kind === "ready" && at.identity.user === user) await deleteAll(store, [item], item.changedAt);
      }
    },
    forgetOld: async (now) => {
      const old: ItemKey[] = [];
      for await (const item of everyItem(store, kind)) if (readPending(item).until <= now) old.push(item);
      await deleteAll(store, old, now);
    },
    mayTell: (now) => {
      const minute = Math.floor(now / 60);
      told = { minute, count: told.minute === minute ? told.count + 1 : 1 };
      return told.count <= mostToldInMinute;
    },
  };
}

function readPending(item: Item): Pending {
  return { ...(item.body as unknown as Row), id: item.name, item };
}

export function refusalOf({ code, message, hint }: Fault): Refusal {
  return { code, message, hint };
}

export function faultOf({ code, message, hint }: Refusal): Fault {
  return new Fault(code, { message, hint });
}

export function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

export function isDigestOf(digest: Buffer, text: string): boolean {
  return timingSafeEqual(digest, digestOf(text));
}

/** Has no vowels, so that no word comes out, and no letter that looks like a digit. */
const letters = "BCDFGHJKLMNPQRSTVWXZ";

/** Makes a code of eight letters. The browser shows it, and a person types it. */
export function newCode(): string {
  const of = (): string => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join("");
  return `${of()}-${of()}`;
}

/** Compares a typed code, whatever its case or spaces. */
export function isCode(typed: string, code: string): boolean {
  const bare = (text: string): string => text.toUpperCase().replace(/[^A-Z]/g, "");
  return isDigestOf(digestOf(bare(code)), bare(typed));
}
