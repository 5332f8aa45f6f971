import { bodyText, checkCommit, checkKey } from "../checked.ts";
import { entryText, escaped, meets, revisionOf } from "../stored.ts";
import { mostRows, type Commit, type Committed, type Item, type ItemKey } from "../port.ts";
import type { Connections, Query } from "./connections.ts";
import { itemColumns, readItem, type ItemRow } from "./items.ts";

type Waiting = {
  readonly commit: Commit;
  readonly resolve: (committed: Committed) => void;
  readonly reject: (thrown: unknown) => void;
};

export type Committing = { readonly commit: (commit: Commit) => Promise<Committed>; readonly settled: () => Promise<void> };

/** Collects the commits that wait while another transaction runs, here or at another auth service, and writes them in the next one. */
export function committing({ transaction }: Pick<Connections, "transaction">): Committing {
  let waiting: Waiting[] = [];
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    while (waiting.length > 0) await write();
    working = undefined;
  }

  function taken(): Waiting[] {
    let rows = 0;
    const end = waiting.findIndex(({ commit }, index) => (rows += rowsOf(commit)) > mostRows && index > 0);
    const some = end === -1 ? waiting : waiting.slice(0, end);
    waiting = waiting.slice(some.length);
    return some;
  }

  async function write(alone?: Waiting): Promise<void> {
    let some = alone === undefined ? undefined : [alone];
    try {
      const { answers } = await transaction(
        (query, first) => {
          // Takes the commits only now, because more may have come while another auth service had the lock.
          some ??= taken();
          return together(
            some.map(({ commit }) => commit),
            query,
            { revision: Number(first?.["revision"]), event: Number(first?.["event"]) },
          );
        },
        { first: lockStore, last: ({ revision, event }) => `UPDATE svc.store SET revision = ${revision}, event = ${event}` },
      );
      for (const [index, { resolve }] of (some ?? []).entries()) resolve(answers[index] as Committed);
    } catch (thrown) {
      some ??= taken();
      // Nothing of these commits was stored. Tries each again alone, so that a faulty one does not fail the others.
      if (some.length === 1) some[0]?.reject(thrown);
      else for (const one of some) await write(one);
    }
  }

  return {
    commit: async (commit) => {
      checkCommit(commit);
      const { promise, resolve, reject } = Promise.withResolvers<Committed>();
      waiting.push({ commit, resolve, reject });
      working ??= Promise.resolve().then(work);
      return promise;
    },
    settled: async () => working,
  };
}

function rowsOf({ changes, audit }: Commit): number {
  return 1 + changes.length + audit.length;
}

/** Locks the store's row, so that the commits of all auth services run one after another. */
export const lockStore = "SELECT revision, event FROM svc.store FOR UPDATE";
type Counters = { readonly revision: number; readonly event: number };

/** The items of these commits: first as stored, then as each commit leaves them. */
class Items {
  readonly #found = new Map<string, Item | undefined>();
  changed = new Map<string, ItemKey>();

  constructor(rows: readonly ItemRow[]) {
    for (const item of rows.map(readItem)) this.#found.set(nameOf(item), item);
  }
  get(key: ItemKey): Item | undefined {
    return this.#found.get(nameOf(key));
  }
  set(key: ItemKey, item: Item | undefined): void {
    this.#found.set(nameOf(key), item);
    this.changed.set(nameOf(key), key);
  }
}

function nameOf({ kind, name }: ItemKey): string {
  return `${kind}\0${name}`;
}

async function together(
  commits: readonly Commit[],
  query: Query,
  { revision, event }: Counters,
): Promise<Counters & { readonly answers: readonly Committed[] }> {
  const keys = commits.flatMap(({ changes }) => changes.map(({ item }) => item));
  keys.forEach(checkKey);
  const rows =
    keys.length === 0
      ? []
      : await query<ItemRow>(
          `SELECT ${itemColumns} FROM svc.item JOIN unnest($1::text[], $2::text[]) AS wanted (k, n) ON kind = k AND name = n`,
          [keys.map(({ kind }) => kind), keys.map(({ name }) => name)],
        );
  const items = new Items(rows);
  const events: unknown[][] = [];
  const answers = commits.map((commit): Committed => {
    const made = apply(commit, revision + 1, items);
    if (made !== undefined) return made;
    revision += 1;
    for (const entry of commit.audit) {
      event += 1;
      const { event: what, actor, kind, name } = entry;
      events.push([event, commit.at, escaped(what), escaped(actor), escaped(kind), escaped(name), entryText(entry)]);
    }
    return { kind: "done", revision: revisionOf(revision) };
  });
  await store(items, query);
  if (events.length > 0) await addEvents(events, query);
  return { revision, event, answers };
}

/** Applies a commit. Undefined if all of it was applied; otherwise nothing was. */
function apply({ changes, at, by }: Commit, revision: number, items: Items): Committed | undefined {
  const before = changes.map(({ item }) => [item, items.get(item)] as const);
  const changed = new Map(items.changed);
  for (const [index, wanted] of changes.entries()) {
    const found = items.get(wanted.item);
    if (!meets(found, wanted.expect)) {
      for (const [key, item] of before.toReversed()) items.set(key, item);
      items.changed = changed;
      return { kind: "overtaken", change: index, found: items.get(wanted.item) };
    }
    if (wanted.kind === "delete") items.set(wanted.item, undefined);
    else if (wanted.kind === "put") {
      bodyText(wanted.body);
      const { kind, name } = wanted.item;
      items.set(wanted.item, { kind, name, revision: revisionOf(revision), changedAt: at, changedBy: by, body: wanted.body });
    }
  }
  return undefined;
}

async function store(items: Items, query: Query): Promise<void> {
  const all = [...items.changed.values()].map((key) => ({ key, item: items.get(key) }));
  const gone = all.filter(({ item }) => item === undefined).map(({ key }) => key);
  const kept = all.flatMap(({ item }) => (item === undefined ? [] : [item]));
  if (gone.length > 0) {
    await query("DELETE FROM svc.item USING unnest($1::text[], $2::text[]) AS gone (k, n) WHERE kind = k AND name = n", [
      gone.map(({ kind }) => kind),
      gone.map(({ name }) => name),
    ]);
  }
  if (kept.length > 0) await putItems(kept, query);
}

export async function putItems(items: readonly Item[], query: Query): Promise<void> {
  await query(
    `INSERT INTO svc.item (${itemColumns})
      SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::text[])
      ON CONFLICT (kind, name) DO UPDATE SET revision = excluded.revision, changed_at = excluded.changed_at,
      changed_by = excluded.changed_by, body = excluded.body`,
    [
      items.map(({ kind }) => kind),
      items.map(({ name }) => name),
      items.map(({ revision }) => revision),
      items.map(({ changedAt }) => changedAt),
      items.map(({ changedBy }) => escaped(changedBy)),
      items.map(({ body }) => bodyText(body)),
    ],
  );
}

/** Each event is a row of number, at, event, actor, kind, name and entry. */
export async function addEvents(events: readonly (readonly unknown[])[], query: Query): Promise<void> {
  await query(
    `INSERT INTO svc.event (number, at, event, actor, kind, name, entry)
      SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])`,
    [0, 1, 2, 3, 4, 5, 6].map((column) => events.map((event) => event[column])),
  );
}
