import { createHash, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import type { Fault } from "../../rules/fault/fault.ts";
import type { Thumbprint } from "../identity/proof.ts";
import type { ResourceName } from "../resource/name.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { SignInKind } from "./connectors.ts";
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

/** A sign-in through a browser that has not ended. */
export type Pending = {
  readonly id: string;
  readonly connector: { readonly kind: SignInKind; readonly name: ResourceName };
  readonly client: string;
  /** A test begins no session. */
  readonly purpose: "session" | "test";
  /** The key of the session or of the `tsh` that began it, which alone can end it. */
  readonly key: Thumbprint | "root";
  readonly address: string;
  readonly until: UnixSeconds;
  /** How often a browser opened the address. */
  opened: number;
  at: Place;
};

type Place =
  | { readonly kind: "begun" }
  /** The browser was sent to the provider. `cookie` is the digest of the value that this browser keeps. */
  | { readonly kind: "away"; readonly visit: Visit; readonly cookie: Buffer }
  /** The browser has brought an answer, which is being checked. */
  | { readonly kind: "back" }
  /** `revision`: of the connector that gave the roles. */
  | { readonly kind: "ready"; readonly identity: Identity; readonly revision: string; readonly code: string; tries: number }
  | { readonly kind: "tested"; readonly claimed: Claimed; readonly roles: readonly string[]; readonly refused: Fault | undefined }
  | { readonly kind: "refused"; readonly fault: Fault };

export const pendingSeconds = 600;
export const mostTries = 3;
/** Together, and from one network behind one proxy: somebody who begins thousands keeps only their own network out. */
const mostToldInMinute = 60;
const most = { all: 10_000, ofNetwork: 256 };
/** Each opening asks the provider. */
export const mostOpenings = 10;

/** Kept in memory: after a restart of auth, people begin again. */
export type PendingSignIns = {
  /** Undefined if there are too many. */
  readonly begin: (
    asked: Omit<Pending, "id" | "until" | "opened" | "at"> & { readonly from: string; readonly now: UnixSeconds },
  ) => Pending | undefined;
  readonly find: (id: string, now: UnixSeconds) => Pending | undefined;
  readonly findByState: (state: string, now: UnixSeconds) => Pending | undefined;
  readonly end: (pending: Pending) => void;
  /** Ends those that would sign this user in. */
  readonly endOf: (user: string) => void;
  /** Counts a refusal. False after 60 in one minute, because strangers could fill the audit. Metrics count all. */
  readonly mayTell: (now: UnixSeconds) => boolean;
};

export function makePendingSignIns(): PendingSignIns {
  /** The sign-ins, the oldest first. */
  const all = new Map<string, Pending & { readonly from: string }>();

  let told = { minute: 0, count: 0 };

  function forgetOld(now: UnixSeconds): void {
    for (const [id, { until }] of all) {
      if (until > now) return;
      all.delete(id);
    }
  }

  return {
    begin: ({ now, from, ...asked }) => {
      forgetOld(now);
      const own = [...all.values()].filter((one) => one.from === from);
      if (own.length >= most.ofNetwork) {
        // A refused one waits only to be told.
        const oldest = own.find(({ at }) => at.kind === "refused");
        if (oldest === undefined) return undefined;
        all.delete(oldest.id);
      }
      if (all.size >= most.all) return undefined;
      const pending = {
        ...asked,
        from,
        id: randomBytes(16).toString("hex"),
        until: now + pendingSeconds,
        opened: 0,
        at: { kind: "begun" } as Place,
      };
      all.set(pending.id, pending);
      return pending;
    },
    find: (id, now) => {
      forgetOld(now);
      return all.get(id);
    },
    findByState: (state, now) => {
      forgetOld(now);
      return [...all.values()].find(({ at }) => at.kind === "away" && at.visit.state === state);
    },
    end: ({ id }) => void all.delete(id),
    mayTell: (now) => {
      const minute = Math.floor(now / 60);
      told = { minute, count: told.minute === minute ? told.count + 1 : 1 };
      return told.count <= mostToldInMinute;
    },
    endOf: (user) => {
      for (const { id, at } of all.values()) if (at.kind === "ready" && at.identity.user === user) all.delete(id);
    },
  };
}

export function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

export function isDigestOf(digest: Buffer, text: string): boolean {
  return timingSafeEqual(digest, digestOf(text));
}

/** No vowels, so no words, and no letter that looks like a digit. */
const letters = "BCDFGHJKLMNPQRSTVWXZ";

/** Eight letters, which the browser shows and a person types. */
export function newCode(): string {
  const of = (): string => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join("");
  return `${of()}-${of()}`;
}

/** Compares a code as it was typed. */
export function isCode(typed: string, code: string): boolean {
  const bare = (text: string): string => text.toUpperCase().replace(/[^A-Z]/g, "");
  return isDigestOf(digestOf(bare(code)), bare(typed));
}
