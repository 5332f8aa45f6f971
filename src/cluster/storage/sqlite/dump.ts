import { setImmediate } from "node:timers/promises";
import { Fault } from "../../../rules/fault/fault.ts";
import { mostRows, type DumpLine, type ItemKey } from "../port.ts";
import type { Connection } from "./connection.ts";
import { addEvent, allEvents } from "./events.ts";
import { allItems } from "./items.ts";
import { entryText, revisionOf } from "../stored.ts";
import { itemRow } from "./rows.ts";

type CountedRow = { readonly revision: number; readonly event: number };

const countedNow = "SELECT revision, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'event'), 0) AS event FROM store";

/** Reads on its own connection, whose view stays the same whatever others write. */
export async function* dumping(open: () => Connection): AsyncGenerator<readonly DumpLine[]> {
  const connection = open();
  try {
    connection.exec("BEGIN");
    const counted = connection.prepare<CountedRow>(countedNow).first() ?? { revision: 0, event: 0 };
    yield [{ kind: "counted", counted: { revision: revisionOf(counted.revision), event: counted.event } }];
    const items = allItems(connection);
    for (let after: ItemKey | undefined = { kind: "", name: "" }; after !== undefined;) {
      const page = items(after, mostRows);
      if (page.length > 0) yield page.map((item) => ({ kind: "item", item }));
      after = page.length < mostRows ? undefined : page.at(-1);
      await setImmediate();
    }
    const events = allEvents(connection);
    for (let after: number | undefined = 0; after !== undefined;) {
      const page = events(after, mostRows);
      if (page.length > 0) yield page.map((event) => ({ kind: "event", event }));
      after = page.length < mostRows ? undefined : page.at(-1)?.number;
      await setImmediate();
    }
  } finally {
    connection.close();
  }
}

/** Writes all lines in one transaction, or nothing. */
export async function filling(connection: Connection, lines: AsyncIterable<readonly DumpLine[]>): Promise<void> {
  try {
    connection.exec("BEGIN IMMEDIATE");
    refuseUnlessEmpty(connection);
    const line = adding(connection);
    for await (const some of lines) {
      for (let from = 0; from < some.length; from += mostRows) {
        some.slice(from, from + mostRows).forEach(line);
        await setImmediate();
      }
    }
    connection.exec("COMMIT");
  } finally {
    // Drops uncommitted work.
    connection.close();
  }
}

function refuseUnlessEmpty(connection: Connection): void {
  const { rows } = connection.prepare<{ rows: number }>("SELECT sum(rows) AS rows FROM tally").first() ?? { rows: 0 };
  if (rows === 0) return;
  throw new Fault("store-failed", {
    message: `${connection.path} is not empty: a backup is put into an empty store alone`,
    hint: "`sudo tctl restore FILE` moves the store that is there aside first",
  });
}

function adding(connection: Connection): (line: DumpLine) => void {
  const record = addEvent(connection);
  const add = connection.prepare(
    "INSERT INTO item (kind, name, revision, changed_at, changed_by, sum, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  const revision = connection.prepare("UPDATE store SET revision = ?");
  const forget = connection.prepare("DELETE FROM sqlite_sequence WHERE name = 'event'");
  const numbers = connection.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('event', ?)");
  return (line) => {
    switch (line.kind) {
      case "counted":
        revision.run(Number(line.counted.revision));
        forget.run();
        numbers.run(line.counted.event);
        return;
      case "item": {
        const row = itemRow({ ...line.item, revision: Number(line.item.revision) });
        add.run(row.kind, row.name, row.revision, row.changed_at, row.changed_by, row.sum, row.body);
        return;
      }
      case "event": {
        const { number, at, ...entry } = line.event;
        record({ at, entry, text: entryText(entry), number });
        return;
      }
    }
  };
}
