import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { migrations, type Migration } from "../../../src/cluster/storage/migrations.ts";
import { openSqliteStore, openStore } from "../../../src/cluster/storage/sqlite.ts";
import { commit, entry, fillSome, put } from "./filled.ts";
import { scratchStore } from "./scratch-store.ts";

/** What a later release of the same major may do. */
const planted: Migration = {
  adds: "a column with a default, a table and an index",
  sql: [
    "ALTER TABLE item ADD COLUMN shade TEXT NOT NULL DEFAULT 'none'",
    "CREATE TABLE later (name TEXT PRIMARY KEY) STRICT",
    "CREATE INDEX item_shade ON item (shade, kind)",
  ],
};
const later: readonly Migration[] = [...migrations, planted];

async function madeByToday(): Promise<string> {
  const path = scratchStore();
  const store = await openSqliteStore({ path, release: "1.2.3" });
  await fillSome(store);
  await store.close();
  return path;
}

describe("migrations", () => {
  it("add and nothing else", () => {
    for (const { sql } of migrations.slice(1))
      for (const statement of sql) expect(statement).not.toMatch(/\b(drop|delete|update|rename)\b/i);
  });

  it("leave a store that the release before reads and writes, and the later one again", async () => {
    const path = await madeByToday();
    const migrated = await openStore({ path, release: "1.3.0" }, later);
    expect(await migrated.about()).toMatchObject({ schema: later.length, revision: "5" });
    await migrated.commit(commit([put("role", "by-later")], [entry("later")]));
    await migrated.close();

    const before = await openSqliteStore({ path, release: "1.2.3" });
    expect(await before.about()).toMatchObject({ schema: later.length, revision: "6" });
    expect(await before.count("role")).toBe(251);
    expect(await before.get({ kind: "role", name: "by-later" })).toBeDefined();
    await before.commit(commit([put("role", "by-before"), put("role", "by-later", { changed: true })], [entry("before")]));
    expect(await before.events({ most: 2 })).toMatchObject([{ event: "before" }, { event: "later" }]);
    const other = await openSqliteStore({ path: scratchStore(), release: "1.2.3" });
    await other.fill(before.dump());
    expect(await other.count("role")).toBe(252);
    await other.close();
    await before.close();

    const again = await openStore({ path, release: "1.3.0" }, later);
    expect(await again.get({ kind: "role", name: "by-later" })).toMatchObject({ body: { changed: true } });
    expect(await again.count("role")).toBe(252);
    await again.close();
  });

  it("keep a copy of how it was, for its owner alone", async () => {
    const path = await madeByToday();
    await (await openStore({ path, release: "1.3.0" }, later)).close();
    const copy = `${path}.schema-${migrations.length}`;
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    const database = new DatabaseSync(copy, { readOnly: true });
    expect(database.prepare("SELECT count(*) AS rows FROM item").get()).toMatchObject({ rows: 250 });
    expect(database.prepare("PRAGMA user_version").get()).toMatchObject({ user_version: migrations.length });
    database.close();
  });

  it("happen as a whole: where one fails the store is what it was", async () => {
    const path = await madeByToday();
    const broken = [...later, { adds: "nothing", sql: ["CREATE TABLE later (name TEXT)"] }];
    await expect(openStore({ path, release: "1.4.0" }, broken)).rejects.toMatchObject({ code: "store-failed" });
    const store = await openSqliteStore({ path, release: "1.2.3" });
    expect(await store.about()).toMatchObject({ schema: migrations.length, revision: "5" });
    await store.close();
  });

  it("stop at a later major, and nothing is written", async () => {
    const path = await madeByToday();
    await (await openSqliteStore({ path, release: "v2.0.0" })).close();
    await expect(openSqliteStore({ path, release: "1.9.9" })).rejects.toMatchObject({
      code: "store-newer",
      message: expect.stringContaining("v2.0.0"),
    });
    const store = await openSqliteStore({ path, release: "2.0.1" });
    expect(await store.count("role")).toBe(250);
    await store.close();
  });
});
