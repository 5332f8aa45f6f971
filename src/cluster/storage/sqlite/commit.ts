import { checkCommit } from "../checked.ts";
import { mostRows, type Change, type Commit, type Committed } from "../port.ts";
import { entryText, meets, revisionOf } from "../stored.ts";
import { addEvent } from "./events.ts";
import { itemByKey } from "./items.ts";
import { itemRow } from "./rows.ts";
import type { Connection } from "./connection.ts";

export type Committing = {
  readonly commit: (commit: Commit) => Promise<Committed>;
  /** Writes now, and not at the end of this turn of the event loop. */
  readonly flush: () => void;
};

type Waiting = {
  readonly commit: Commit;
  readonly resolve: (committed: Committed) => void;
  readonly reject: (thrown: unknown) => void;
};

/** How long the next transaction waits for more commits, if several shared the last one. */
const companyMs = 2;

/** Commits that arrive together share a transaction: it waits for the disk once, and then answers all. */
export function committing(connection: Connection): Committing {
  const apply = applying(connection);
  const counted = connection.prepare<{ revision: number }>("SELECT revision FROM store");
  const count = connection.prepare("UPDATE store SET revision = ?");
  let waiting: Waiting[] = [];
  let hadCompany = false;

  function together(some: readonly Waiting[]): readonly Committed[] {
    return connection.transaction("BEGIN IMMEDIATE", () => {
      let revision = counted.first()?.revision ?? 0;
      const committed = some.map(({ commit }) => {
        const made = apply(commit, revision + 1);
        if (made.kind === "done") revision += 1;
        return made;
      });
      count.run(revision);
      return committed;
    });
  }

  function write(some: readonly Waiting[]): void {
    try {
      const committed = together(some);
      for (const [index, { resolve }] of some.entries()) resolve(committed[index] as Committed);
    } catch (thrown) {
      // Nothing of these commits is stored. Each is tried again alone, so that a faulty one does not fail the others.
      if (some.length === 1) some[0]?.reject(thrown);
      else for (const one of some) write([one]);
    }
  }

  function writeNext(): void {
    const [first] = waiting;
    if (first === undefined) return;
    let rows = 0;
    const end = waiting.findIndex(({ commit }, index) => (rows += rowsOf(commit)) > mostRows && index > 0);
    const some = end === -1 ? waiting : waiting.slice(0, end);
    waiting = end === -1 ? [] : waiting.slice(end);
    hadCompany = some.length > 1;
    if (waiting.length > 0) setImmediate(writeNext);
    write(some);
  }

  return {
    // oxlint-disable-next-line typescript/require-await -- what is no commit is refused as everything else is
    commit: async (commit) => {
      checkCommit(commit);
      const { promise, resolve, reject } = Promise.withResolvers<Committed>();
      if (waiting.length === 0) {
        if (hadCompany) setTimeout(writeNext, companyMs);
        else setImmediate(writeNext);
      }
      waiting.push({ commit, resolve, reject });
      return promise;
    },
    flush: () => {
      while (waiting.length > 0) writeNext();
    },
  };
}

/** The rows that the commit writes: its changes, its events, and one for its own number. */
function rowsOf({ changes, audit }: Commit): number {
  return 1 + changes.length + audit.length;
}

/** Applies all of a commit or nothing, inside a transaction. */
function applying(connection: Connection): (commit: Commit, revision: number) => Committed {
  const find = itemByKey(connection);
  const record = addEvent(connection);
  const begin = connection.prepare("SAVEPOINT one");
  const keep = connection.prepare("RELEASE one");
  const takeBack = connection.prepare("ROLLBACK TO one");
  const put = connection.prepare(
    `INSERT INTO item (kind, name, revision, changed_at, changed_by, sum, body) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (kind, name) DO UPDATE SET revision = excluded.revision, changed_at = excluded.changed_at,
      changed_by = excluded.changed_by, sum = excluded.sum, body = excluded.body`,
  );
  const remove = connection.prepare("DELETE FROM item WHERE kind = ? AND name = ?");

  function change(wanted: Change, made: { readonly revision: number; readonly at: number; readonly by: string }): void {
    if (wanted.kind === "check") return;
    if (wanted.kind === "delete") {
      remove.run(wanted.item.kind, wanted.item.name);
      return;
    }
    const { revision, at: changedAt, by: changedBy } = made;
    const row = itemRow({ ...wanted.item, revision, changedAt, changedBy, body: wanted.body });
    put.run(row.kind, row.name, row.revision, row.changed_at, row.changed_by, row.sum, row.body);
  }

  return (commit, revision) => {
    // Needs no savepoint for a single change, which has stored nothing when it finds another state.
    const isSingle = commit.changes.length <= 1;
    if (!isSingle) begin.run();
    for (const [index, wanted] of commit.changes.entries()) {
      const found = find(wanted.item);
      if (meets(found, wanted.expect)) {
        change(wanted, { revision, at: commit.at, by: commit.by });
        continue;
      }
      if (!isSingle) takeBack.run();
      if (!isSingle) keep.run();
      return { kind: "overtaken", change: index, found: index === 0 ? found : find(wanted.item) };
    }
    for (const entry of commit.audit) record({ at: commit.at, entry, text: entryText(entry) });
    if (!isSingle) keep.run();
    return { kind: "done", revision: revisionOf(revision) };
  };
}
