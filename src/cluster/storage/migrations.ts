/** A step that a store takes once. It only adds, so that every release of the same major can read and write the result. */
export type Migration = { readonly adds: string; readonly sql: readonly string[] };

/** The steps in order. A released step is never changed or removed. */
export const migrations: readonly Migration[] = [
  {
    adds: "items, the audit, and what both count",
    sql: [
      // One row. `revision` is the last commit's. The last writer's release is shown to programs of another major.
      `CREATE TABLE store (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        id TEXT NOT NULL,
        revision INTEGER NOT NULL,
        major INTEGER NOT NULL,
        release TEXT NOT NULL,
        opening TEXT NOT NULL
      ) STRICT`,
      `CREATE TABLE item (
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        revision INTEGER NOT NULL,
        changed_at INTEGER NOT NULL,
        changed_by TEXT NOT NULL,
        sum INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (kind, name)
      ) STRICT`,
      // The columns that are searched come first, because a row with long bodies continues elsewhere in the file.
      `CREATE TABLE event (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        at INTEGER NOT NULL,
        event TEXT NOT NULL,
        actor TEXT NOT NULL,
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        sum INTEGER NOT NULL,
        entry TEXT NOT NULL
      ) STRICT`,
      `CREATE INDEX event_at ON event (at, number)`,
      // Counts rows as they come and go, because counting them when asked takes longer with every row.
      `CREATE TABLE tally (kind TEXT PRIMARY KEY, rows INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
      `INSERT INTO tally VALUES ('', 0)`,
      `CREATE TRIGGER item_added AFTER INSERT ON item BEGIN
        INSERT INTO tally VALUES (new.kind, 1) ON CONFLICT (kind) DO UPDATE SET rows = rows + 1;
      END`,
      `CREATE TRIGGER item_removed AFTER DELETE ON item BEGIN UPDATE tally SET rows = rows - 1 WHERE kind = old.kind; END`,
      // The row without a kind counts the audit's events; every item has a kind.
      `CREATE TRIGGER event_added AFTER INSERT ON event BEGIN UPDATE tally SET rows = rows + 1 WHERE kind = ''; END`,
      `CREATE TRIGGER event_removed AFTER DELETE ON event BEGIN UPDATE tally SET rows = rows - 1 WHERE kind = ''; END`,
    ],
  },
  { adds: "the order of changes", sql: ["CREATE INDEX item_changed ON item (kind, revision, name)"] },
];
