import { checkCommit } from "../checked.ts";
import type { Change, Commit, Committed, Expectation, Item } from "../port.ts";
import { addEvent } from "./events.ts";
import { itemByKey } from "./items.ts";
import { entryText, itemRow, revisionOf } from "./rows.ts";
import type { Connection } from "./connection.ts";

/** Found something else than was expected: thrown, so that the transaction is taken back. */
class Overtaken extends Error {
  readonly change: number;

  constructor(change: number) {
    super();
    this.change = change;
  }
}

export function committing(connection: Connection): (commit: Commit) => Committed {
  const find = itemByKey(connection);
  const record = addEvent(connection);
  const count = connection.prepare<{ revision: number }>("UPDATE store SET revision = revision + 1 RETURNING revision");
  const put = connection.prepare(
    `INSERT INTO item (kind, name, revision, changed_at, changed_by, sum, body) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (kind, name) DO UPDATE SET revision = excluded.revision, changed_at = excluded.changed_at,
      changed_by = excluded.changed_by, sum = excluded.sum, body = excluded.body`,
  );
  const remove = connection.prepare("DELETE FROM item WHERE kind = ? AND name = ?");

  function change(wanted: Change, made: { readonly revision: number; readonly at: number; readonly by: string }): void {
    if (wanted.kind === "delete") {
      remove.run(wanted.item.kind, wanted.item.name);
      return;
    }
    const { revision, at: changedAt, by: changedBy } = made;
    const row = itemRow({ ...wanted.item, revision, changedAt, changedBy, body: wanted.body });
    put.run(row.kind, row.name, row.revision, row.changed_at, row.changed_by, row.sum, row.body);
  }

  return (commit) => {
    checkCommit(commit);
    try {
      return connection.transaction("BEGIN IMMEDIATE", () => {
        const revision = count.first()?.revision ?? 0;
        for (const [index, wanted] of commit.changes.entries()) {
          if (!meets(find(wanted.item), wanted.expect)) throw new Overtaken(index);
          change(wanted, { revision, at: commit.at, by: commit.by });
        }
        for (const entry of commit.audit) record({ at: commit.at, entry, text: entryText(entry) });
        return { kind: "done", revision: revisionOf(revision) };
      });
    } catch (thrown) {
      if (!(thrown instanceof Overtaken)) throw thrown;
      const wanted = commit.changes[thrown.change] as Change;
      return { kind: "overtaken", change: thrown.change, found: find(wanted.item) };
    }
  };
}

function meets(found: Item | undefined, expect: Expectation): boolean {
  switch (expect.kind) {
    case "absent":
      return found === undefined;
    case "present":
      return found !== undefined;
    case "revision":
      return found?.revision === expect.revision;
    case "anything":
      return true;
  }
}
