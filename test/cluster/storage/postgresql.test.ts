import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openPostgresStore } from "../../../src/cluster/storage/postgresql.ts";
import type { Migration } from "../../../src/cluster/storage/migrations.ts";
import { postgresMigrations } from "../../../src/cluster/storage/postgresql/schema.ts";
import type { Store } from "../../../src/cluster/storage/port.ts";
import { conformance } from "./conformance.ts";
import { commit, entry, put } from "./filled.ts";
import { noBouncer, noPostgres, startBouncer, startPostgres, type PostgresServer } from "./postgres-server.ts";

describe.skipIf(noPostgres !== undefined)("the store on PostgreSQL", () => {
  let server: PostgresServer;
  const opened: Store[] = [];

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => server[Symbol.asyncDispose]());
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });

  conformance(async () => {
    const place = await server.database();
    const store = await openPostgresStore({ ...place, release: "1.2.3", application: "tctl" });
    let isOpen = true;
    const close = async (): Promise<void> => {
      if (!isOpen) return;
      isOpen = false;
      await store.close();
      await server.giveBack(place);
    };
    opened.push({ ...store, close });
    return { ...store, close };
  });

  test.skipIf(noBouncer !== undefined)("works behind a pooler that hands each transaction to another connection", async () => {
    await using pooler = await startBouncer(server);
    const store = await openPostgresStore({ ...(await server.database()), port: pooler.port, release: "1.2.3" });
    opened.push(store);
    const wanted = Array.from({ length: 200 }, (_, index) => store.commit(commit([put("role", `r${index}`)], [entry("made")])));
    const reading = Promise.all(Array.from({ length: 50 }, () => store.list("role", { after: undefined, most: 100 })));
    expect((await Promise.all(wanted)).every(({ kind }) => kind === "done")).toBe(true);
    await reading;
    expect([await store.count("role"), (await store.events({ event: "made", most: 100 })).length]).toEqual([200, 100]);
    let lines = 0;
    for await (const some of store.dump()) lines += some.length;
    expect(lines).toBe(401);
  });

  const locked = (database: string) =>
    server.run("SELECT 1 FROM pg_locks WHERE relation = 'svc.store'::regclass AND mode = 'RowShareLock' AND granted", database);

  test("a row that somebody has written by hand is named", async () => {
    const place = await server.database();
    const store = await openPostgresStore({ ...place, release: "1.2.3" });
    opened.push(store);
    await store.commit(commit([put("role", "a")]));
    await server.run(`UPDATE svc.item SET body = '{"half'`, place.database);
    await expect(store.list("role", { after: undefined, most: 1 })).rejects.toMatchObject({
      code: "store-unreadable",
      message: expect.stringContaining("the body of role/a in svc.item is not JSON"),
    });
  });

  test("a database that cannot hold every name is refused", async () => {
    await server.run("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'");
    await expect(openPostgresStore({ ...server.place, database: "latin", release: "1.2.3" })).rejects.toMatchObject({
      code: "store-failed",
      message: expect.stringContaining("has the encoding LATIN1"),
    });
  });

  test("a connection that breaks fails nothing that can be asked again, and a demoted primary is left", async () => {
    const place = await server.database();
    const store = await openPostgresStore({ ...place, release: "1.2.3" });
    opened.push(store);
    await store.commit(commit([put("role", "a")]));
    const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${place.database}' AND pid <> pg_backend_pid()`;
    await server.run(cut);
    expect(await store.commit(commit([put("role", "b")]))).toMatchObject({ kind: "done" });
    await server.run(cut);
    expect(await store.count("role")).toBe(2);
    await server.run(`ALTER DATABASE ${place.database} SET default_transaction_read_only = on`);
    await server.run(cut);
    await expect(store.commit(commit([put("role", "c")]))).rejects.toMatchObject({
      code: "store-failed",
      message: expect.stringContaining("it is read-only: it is a standby, or was demoted"),
    });
    await server.run(`ALTER DATABASE ${place.database} RESET default_transaction_read_only`);
    expect(await store.commit(commit([put("role", "c")]))).toMatchObject({ kind: "done" });
  });

  test("commits that come while another auth service has its turn share a transaction", async () => {
    const place = await server.database();
    const store = await openPostgresStore({ ...place, release: "1.2.3" });
    opened.push(store);
    const turn = server.run("BEGIN; SELECT 1 FROM svc.store FOR UPDATE; SELECT pg_sleep(0.5); COMMIT", place.database);
    await expect.poll(async () => (await locked(place.database)).length).toBe(1);
    const made: Promise<unknown>[] = [];
    for (let index = 0; index < 5; index += 1) {
      made.push(store.commit(commit([put("role", `r${index}`)])));
      await store.about();
    }
    await Promise.all([...made, turn]);
    expect(await server.run("SELECT count(DISTINCT xmin::text) AS n FROM svc.item", place.database)).toEqual([{ n: "1" }]);
  });

  test("a later release of this major migrates, this one goes on; a later major is left alone", async () => {
    const place = await server.database();
    const open = (release: string, known?: readonly Migration[]): Promise<Store> =>
      openPostgresStore({ ...place, release }, known);
    await (await open("1.2.3")).close();
    const planted = { adds: "a column", sql: ["ALTER TABLE svc.item ADD COLUMN shade text NOT NULL DEFAULT 'none'"] };
    const later = await open("1.3.0", [...postgresMigrations, planted]);
    await later.commit(commit([put("role", "later")]));
    await later.close();
    const before = await open("1.2.3");
    expect(await before.about()).toMatchObject({ adapter: "postgresql", schema: postgresMigrations.length + 1, revision: "1" });
    expect(await before.commit(commit([put("role", "before")]))).toMatchObject({ kind: "done" });
    await before.close();
    await (await open("2.0.0")).close();
    await expect(open("1.9.9")).rejects.toMatchObject({ code: "store-newer", message: expect.stringContaining("2.0.0") });
    for (const { sql } of postgresMigrations.slice(1))
      for (const statement of sql) expect(statement).not.toMatch(/\b(drop|delete|update|rename)\b/i);
  });
});
