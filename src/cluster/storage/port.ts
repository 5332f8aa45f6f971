import type { UnixSeconds } from "../../rules/window/window.ts";

declare const revisionBrand: unique symbol;

/** Of a commit: decimal digits, one more with each. Compared for being the same, and by nothing else outside of an adapter. */
export type Revision = string & { readonly [revisionBrand]: true };

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/** What is stored under a kind and a name. Resources have the kinds that administrators write; everything else has kinds of its own. */
export type ItemKey = { readonly kind: string; readonly name: string };

export type Item = ItemKey & {
  /** Of the commit that wrote it. */
  readonly revision: Revision;
  readonly changedAt: UnixSeconds;
  readonly changedBy: string;
  readonly body: JsonObject;
};

/** What an item has to be for a change to happen: compare and swap. */
export type Expectation =
  | { readonly kind: "absent" }
  | { readonly kind: "present" }
  | { readonly kind: "revision"; readonly revision: Revision }
  | { readonly kind: "anything" };

export type Change =
  | { readonly kind: "put"; readonly item: ItemKey; readonly body: JsonObject; readonly expect: Expectation }
  | { readonly kind: "delete"; readonly item: ItemKey; readonly expect: Expectation }
  /** Changes nothing: the commit rests on what was read there. */
  | { readonly kind: "check"; readonly item: ItemKey; readonly expect: Expectation };

/** Who changed what, as it is kept. Secrets are out of it before it comes here. */
export type AuditEntry = {
  readonly event: string;
  readonly actor: string;
  readonly origin: string;
  readonly kind: string;
  readonly name: string;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
  readonly detail: string;
};

export type AuditEvent = AuditEntry & {
  /** Rises; what was pruned leaves a gap. */
  readonly number: number;
  readonly at: UnixSeconds;
};

/**
 * Happens as a whole or not at all, and once it is answered nothing takes it back. Changes happen one after the other: a later one
 * of the same commit finds what an earlier one left. At most `mostRows` changes and as many entries.
 */
export type Commit = {
  readonly at: UnixSeconds;
  readonly by: string;
  readonly changes: readonly Change[];
  readonly audit: readonly AuditEntry[];
};

export type Committed =
  | { readonly kind: "done"; readonly revision: Revision }
  /** Nothing was changed: this change of the commit, counted from 0, found something else. `found` is what is in the store. */
  | { readonly kind: "overtaken"; readonly change: number; readonly found: Item | undefined };

/** At once, in the event loop. */
export const mostRows = 100;

/** In the order of names, by their bytes in UTF-8. At most `mostRows`: whoever wants more asks for the next page. */
export type Page = { readonly after: string | undefined; readonly most: number };

/** The newest first. What is undefined does not matter. */
export type EventQuery = {
  readonly since?: UnixSeconds | undefined;
  readonly until?: UnixSeconds | undefined;
  readonly event?: string | undefined;
  readonly actor?: string | undefined;
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
  /** Only events before this number: for the next page. */
  readonly before?: number | undefined;
  readonly most: number;
};

export type StoreAbout = {
  readonly adapter: "sqlite" | "postgresql";
  /** How many migrations it has seen: those of a later release of the same major too. */
  readonly schema: number;
  readonly revision: Revision;
  /** How large it is, as far as the adapter can tell. */
  readonly bytes: number;
};

/** How far a store has counted. What is gone from it was counted too. */
export type Counted = { readonly revision: Revision; readonly event: number };

/** A line of a backup, in this order: what was counted, every item, then every event from the oldest. */
export type DumpLine =
  | { readonly kind: "counted"; readonly counted: Counted }
  | ({ readonly kind: "item" } & { readonly item: Item })
  | { readonly kind: "event"; readonly event: AuditEvent };

/**
 * Where a cluster is kept. Two adapters have to behave alike: test/cluster/storage/conformance.ts says what that is. No call holds the event
 * loop longer than it takes to read or write 100 rows.
 */
export type Store = {
  readonly get: (key: ItemKey) => Promise<Item | undefined>;
  readonly list: (kind: string, page: Page) => Promise<readonly Item[]>;
  readonly count: (kind: string) => Promise<number>;
  readonly commit: (commit: Commit) => Promise<Committed>;
  readonly events: (query: EventQuery) => Promise<readonly AuditEvent[]>;
  /** Of the audit: what is older, and what is beyond this many, oldest first. At most 100 rows a call; how many went. */
  readonly prune: (limits: { readonly before: UnixSeconds; readonly most: number }) => Promise<number>;
  readonly about: () => Promise<StoreAbout>;
  /** As everything was at one instant, while others go on writing. */
  readonly dump: () => AsyncIterable<readonly DumpLine[]>;
  /** Into an empty store: what a backup holds, with its revisions, numbers and times. All of it or nothing. */
  readonly fill: (lines: AsyncIterable<readonly DumpLine[]>) => Promise<void>;
  readonly close: () => Promise<void>;
};
