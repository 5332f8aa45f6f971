import type { Migration } from "../migrations.ts";

/** The migrations in order. They make the PostgreSQL schema `svc`. Never change or remove a released one. Names are compared by their bytes. */
export const postgresMigrations: readonly Migration[] = [
  {
    adds: "items, the audit, and what both count",
    sql: [
      // One row, which every commit locks.
      `CREATE TABLE svc.store (
        one integer PRIMARY KEY CHECK (one = 1),
        revision bigint NOT NULL,
        event bigint NOT NULL,
        migrations integer NOT NULL,
        major integer NOT NULL,
        release text NOT NULL
      )`,
      `CREATE TABLE svc.item (
        kind text COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        revision bigint NOT NULL,
        changed_at bigint NOT NULL,
        changed_by text NOT NULL,
        body text NOT NULL,
        PRIMARY KEY (kind, name)
      )`,
      `CREATE TABLE svc.event (
        number bigint PRIMARY KEY,
        at bigint NOT NULL,
        event text NOT NULL,
        actor text NOT NULL,
        kind text NOT NULL,
        name text NOT NULL,
        entry text NOT NULL
      )`,
      `CREATE INDEX event_at ON svc.event (at, number)`,
    ],
  },
  { adds: "the order of changes", sql: ["CREATE INDEX item_changed ON svc.item (kind, revision, name)"] },
];
