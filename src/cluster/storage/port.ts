import type { UnixSeconds } from "../../rules/window/window.ts";

declare const revisionBrand: unique symbol;

/** A commit's number in decimal digits. Each commit's is one higher. Outside an adapter, revisions are only compared for equality. */
export type Revision = string & { readonly [revisionBrand]: true };

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/** The key of a stored item. Resources have the kinds that administrators write; everything else has other kinds. */
export type ItemKey = { readonly kind: string; readonly name: string };

export type Item = ItemKey & {
  /** The commit that wrote it. */
  readonly revision: Revision;
  readonly changedAt: UnixSeconds;
  readonly changedBy: string;
  readonly body: JsonObject;
};

/** What state of an item a change requires (compare and swap). */
export type Expectation =
  | { readonly kind: "absent" }
  | { readonly kind: "present" }
  | { readonly kind: "revision"; readonly revision: Revision }
  | { readonly kind: "anything" };

export type Change =
  | { readonly kind: "put"; readonly item: ItemKey; readonly body: JsonObject; readonly expect: Expectation }
  | { readonly kind: "delete"; readonly item: ItemKey; readonly expect: Expectation }
  /** Changes nothing, but makes the commit fail if the item is not as it was read. */
  | { readonly kind: "check"; readonly item: ItemKey; readonly expect: Expectation };

/** A recorded change and its author. It has no secrets: the caller removes them. */
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
  /** Rises with each event. Pruned events leave gaps. */
  readonly number: number;
  readonly at: UnixSeconds;
};

/**
 * Changes that happen together or not at all, and are durable once they are answered. They apply in order: a later one sees what an earlier one did.
 * At most `mostRows` changes, and as many entries.
 */
export type Commit = {
  readonly at: UnixSeconds;
  readonly by: string;
  readonly changes: readonly Change[];
  readonly audit: readonly AuditEntry[];
};

export type Committed =
  | { readonly kind: "done"; readonly revision: Revision }
  /** Nothing was changed, because the change with this index found another state. `found` is the stored item. */
  | { readonly kind: "overtaken"; readonly change: number; readonly found: Item | undefined };

/** More rows would block the event loop for too long. */
export const mostRows = 100;

/** A page of at most `most` rows, which may be up to `mostRows`, in the order of the names' bytes in UTF-8. */
export type Page = { readonly after: string | undefined; readonly most: number };

/** The last item that a reader of changes has read. */
export type Seen = Pick<Item, "revision" | "name">;

/** Asks for events, the newest first. An undefined field matches every event. */
export type EventQuery = {
  readonly since?: UnixSeconds | undefined;
  readonly until?: UnixSeconds | undefined;
  readonly event?: string | undefined;
  readonly actor?: string | undefined;
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
  /** For the next page: only events before this number. */
  readonly before?: number | undefined;
  readonly most: number;
};

export type StoreAbout = {
  readonly adapter: "sqlite" | "postgresql";
  /** How many migrations the store has taken, including those of a later release of the same major. */
  readonly schema: number;
  readonly revision: Revision;
  /** The store's size, if the adapter can tell. */
  readonly bytes: number;
};

/** The counters of a store. They also count what was deleted. */
export type Counted = { readonly revision: Revision; readonly event: number };

/** A line of a backup: the counters first, then every item, then every event from the oldest on. */
export type DumpLine =
  | { readonly kind: "counted"; readonly counted: Counted }
  | ({ readonly kind: "item" } & { readonly item: Item })
  | { readonly kind: "event"; readonly event: AuditEvent };

/**
 * Where a cluster is kept. All adapters behave alike, as test/cluster/storage/conformance.ts defines. No call blocks the event loop longer than
 * reading or writing 100 rows takes.
 */
export type Store = {
  readonly get: (key: ItemKey) => Promise<Item | undefined>;
  readonly list: (kind: string, page: Page) => Promise<readonly Item[]>;
  /**
   * Items of a kind by their last commits, and then by name, beginning with `from`. Without `from`, the newest alone. If the item `from` is missing in
   * the result, the store has lost commits: a standby was promoted.
   */
  readonly changed: (kind: string, asked: { readonly from: Seen | undefined; readonly most: number }) => Promise<readonly Item[]>;
  readonly count: (kind: string) => Promise<number>;
  readonly commit: (commit: Commit) => Promise<Committed>;
  readonly events: (query: EventQuery) => Promise<readonly AuditEvent[]>;
  /** Deletes audit events that are too old, and the oldest beyond `most`. Deletes at most 100 a call, and returns how many. */
  readonly prune: (limits: { readonly before: UnixSeconds; readonly most: number }) => Promise<number>;
  readonly about: () => Promise<StoreAbout>;
  /** The whole store at one instant. Others may write meanwhile. */
  readonly dump: () => AsyncIterable<readonly DumpLine[]>;
  /** Fills an empty store with a backup and its revisions, numbers and times. Stores all of it or nothing. */
  readonly fill: (lines: AsyncIterable<readonly DumpLine[]>) => Promise<void>;
  readonly close: () => Promise<void>;
};
