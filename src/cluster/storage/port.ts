import type { UnixSeconds } from "../../rules/window/window.ts";

declare const revisionBrand: unique symbol;

/** A commit's number in decimal digits, one more with each. Outside of an adapter it is only compared for equality. */
export type Revision = string & { readonly [revisionBrand]: true };

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/** The key of a stored item. Resources have the kinds that administrators write; everything else has kinds of its own. */
export type ItemKey = { readonly kind: string; readonly name: string };

export type Item = ItemKey & {
  /** The commit that wrote it. */
  readonly revision: Revision;
  readonly changedAt: UnixSeconds;
  readonly changedBy: string;
  readonly body: JsonObject;
};

/** The state of an item that a change requires: compare and swap. */
export type Expectation =
  | { readonly kind: "absent" }
  | { readonly kind: "present" }
  | { readonly kind: "revision"; readonly revision: Revision }
  | { readonly kind: "anything" };

export type Change =
  | { readonly kind: "put"; readonly item: ItemKey; readonly body: JsonObject; readonly expect: Expectation }
  | { readonly kind: "delete"; readonly item: ItemKey; readonly expect: Expectation }
  /** Changes nothing: the commit depends on what was read there. */
  | { readonly kind: "check"; readonly item: ItemKey; readonly expect: Expectation };

/** A recorded change and its author. Secrets are removed before it comes here. */
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
  /** Rises; pruned events leave gaps. */
  readonly number: number;
  readonly at: UnixSeconds;
};

/**
 * Happens as a whole or not at all, and is durable once it is answered. Changes apply in order: a later one sees the effect of an earlier one. At
 * most `mostRows` changes and as many entries.
 */
export type Commit = {
  readonly at: UnixSeconds;
  readonly by: string;
  readonly changes: readonly Change[];
  readonly audit: readonly AuditEntry[];
};

export type Committed =
  | { readonly kind: "done"; readonly revision: Revision }
  /** Nothing was changed, because this change of the commit, counted from 0, found another state. `found` is the stored item. */
  | { readonly kind: "overtaken"; readonly change: number; readonly found: Item | undefined };

/** More rows would hold up the event loop. */
export const mostRows = 100;

/** A page in the order of names, by their bytes in UTF-8, with at most `mostRows` rows. */
export type Page = { readonly after: string | undefined; readonly most: number };

/** The newest first. An undefined field matches everything. */
export type EventQuery = {
  readonly since?: UnixSeconds | undefined;
  readonly until?: UnixSeconds | undefined;
  readonly event?: string | undefined;
  readonly actor?: string | undefined;
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
  /** Only events before this number, for the next page. */
  readonly before?: number | undefined;
  readonly most: number;
};

export type StoreAbout = {
  readonly adapter: "sqlite" | "postgresql";
  /** How many migrations it has seen, including those of a later release of the same major. */
  readonly schema: number;
  readonly revision: Revision;
  /** Its size, as far as the adapter can tell. */
  readonly bytes: number;
};

/** The counters of a store, which include deleted rows. */
export type Counted = { readonly revision: Revision; readonly event: number };

/** A line of a backup. The counters come first, then every item, then every event from the oldest. */
export type DumpLine =
  | { readonly kind: "counted"; readonly counted: Counted }
  | ({ readonly kind: "item" } & { readonly item: Item })
  | { readonly kind: "event"; readonly event: AuditEvent };

/**
 * Where a cluster is kept. Two adapters behave alike: test/cluster/storage/conformance.ts defines it. No call holds the event loop longer than
 * reading or writing 100 rows takes.
 */
export type Store = {
  readonly get: (key: ItemKey) => Promise<Item | undefined>;
  readonly list: (kind: string, page: Page) => Promise<readonly Item[]>;
  readonly count: (kind: string) => Promise<number>;
  readonly commit: (commit: Commit) => Promise<Committed>;
  readonly events: (query: EventQuery) => Promise<readonly AuditEvent[]>;
  /** Prunes the audit: events that are too old, and those beyond this many, oldest first. Removes at most 100 rows a call and returns how many. */
  readonly prune: (limits: { readonly before: UnixSeconds; readonly most: number }) => Promise<number>;
  readonly about: () => Promise<StoreAbout>;
  /** All of the store at one instant, while others go on writing. */
  readonly dump: () => AsyncIterable<readonly DumpLine[]>;
  /** Fills an empty store with a backup, with its revisions, numbers and times: all of it or nothing. */
  readonly fill: (lines: AsyncIterable<readonly DumpLine[]>) => Promise<void>;
  readonly close: () => Promise<void>;
};
