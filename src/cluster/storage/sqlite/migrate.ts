import { randomUUID } from "node:crypto";
import { renameSync, rmSync } from "node:fs";
import type { Migration } from "../migrations.ts";
import { openConnection, type Connection } from "./connection.ts";
import { applicationId } from "./inspect.ts";
import { isOwnFile, makeFile, placing, syncDirectory, syncPath } from "./place.ts";

export type Release = { readonly release: string; readonly major: number };

/** Makes a store, and gives it its name when it is complete, so that no half store exists. */
export function makeStore(path: string, of: Release & { readonly migrations: readonly Migration[] }): void {
  const making = `${path}.new`;
  makeFile(making);
  // Removes what an interrupted attempt left: SQLite would apply these files to the new store.
  for (const part of ["-journal", "-wal", "-shm"]) rmSync(`${making}${part}`, { force: true });
  const connection = openConnection(making, "write");
  try {
    connection.exec(`PRAGMA application_id = ${applicationId}`);
    connection.transaction("BEGIN IMMEDIATE", () => {
      migrate(connection, { migrations: of.migrations, from: 0 });
      connection
        .prepare("INSERT INTO store (one, id, revision, major, release, opening) VALUES (1, ?, 0, ?, ?, '')")
        .run(randomUUID(), of.major, of.release);
    });
    connection.exec("PRAGMA journal_mode = WAL");
  } finally {
    connection.close();
  }
  placing(path, () => {
    syncPath(making);
    renameSync(making, path);
    syncDirectory(path);
  });
}

/** The path of the copy that is made before a migration, in case the migration goes wrong. */
export function copyPath(path: string, schema: number): string {
  return `${path}.schema-${schema}`;
}

/** Copies the store, then runs all missing migrations in one transaction. Keeps what a later release of this major has added. */
export function migrateStore(
  connection: Connection,
  { from, migrations }: { readonly from: number; readonly migrations: readonly Migration[] },
): void {
  if (from >= migrations.length) return;
  const copy = copyPath(connection.path, from);
  const making = `${copy}.new`;
  makeFile(making);
  connection.prepare("VACUUM INTO ?").run(making);
  placing(connection.path, () => {
    isOwnFile(making);
    syncPath(making);
    renameSync(making, copy);
    syncDirectory(copy);
  });
  connection.transaction("BEGIN IMMEDIATE", () => migrate(connection, { migrations, from }));
}

function migrate(
  connection: Connection,
  { migrations, from }: { readonly migrations: readonly Migration[]; readonly from: number },
): void {
  for (const { sql } of migrations.slice(from)) sql.forEach(connection.exec);
  connection.exec(`PRAGMA user_version = ${migrations.length}`);
}
