import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { migrations } from "../../../src/cluster/storage/migrations.ts";
import { openSqliteStore, openStore } from "../../../src/cluster/storage/sqlite.ts";
import { atOnce, commit, entry, put } from "./filled.ts";

const [what = "", path = ""] = process.argv.slice(2);
const say = (line: string): unknown => process.stdout.write(`${line}\n`);

/** Each number is said once its commit is answered. */
async function keepCommitting(): Promise<void> {
  const store = await openSqliteStore({ path, release: "1.2.3" });
  say("open");
  const one = async (next: number): Promise<void> => {
    await store.commit(commit([put("role", `r${next}`, { text: "x".repeat(500) })], [entry(`${next}`)]));
    say(`${next}`);
  };
  for (let next = (await store.count("role")) + 1; ; next += atOnce)
    await Promise.all(Array.from({ length: atOnce }, (_, index) => one(next + index)));
}

/** A migration that takes a while, so that it can be cut off anywhere. */
async function migrate(): Promise<void> {
  const sql = Array.from({ length: 400 }, (_, index) => `CREATE TABLE later${index} AS SELECT * FROM item`);
  say("open");
  await openStore({ path, release: "1.3.0" }, [...migrations, { adds: "much", sql }]);
  say("done");
}

async function fillDisk(): Promise<void> {
  const store = await openSqliteStore({ path, release: "1.2.3" });
  const filler = join(dirname(path), "filler");
  writeFileSync(filler, Buffer.alloc(512 * 1024));
  let answered = 0;
  let refused = 0;
  for (let next = 0; refused < 3 && next < 5000; next += 1) {
    try {
      await store.commit(commit([put("role", `r${next}`, { text: "x".repeat(3000) })], [entry(`${next}`)]));
      answered += 1;
    } catch (thrown) {
      refused += 1;
      say(String((thrown as { code?: string }).code));
    }
  }
  const full = await store.count("role");
  rmSync(filler);
  await store.commit(commit([put("role", "after")]));
  await store.close();
  const again = await openSqliteStore({ path, release: "1.2.3" });
  say(JSON.stringify({ answered, full, after: await again.count("role"), events: (await again.events({ most: 1 }))[0]?.event }));
  await again.close();
}

/** Opens a store, with one page more room each time, until there is enough. */
async function startFull(): Promise<unknown> {
  await (await openSqliteStore({ path, release: "1.2.3" })).close();
  const filler = join(dirname(path), "filler");
  for (let room = 0; ; room += 1) {
    rmSync(filler, { force: true });
    const { bavail, bsize } = statfsSync(dirname(path));
    writeFileSync(filler, Buffer.alloc((bavail - room) * bsize));
    try {
      await (await openSqliteStore({ path, release: "1.2.3" })).close();
      return say("open");
    } catch (thrown) {
      say(String((thrown as { code?: string }).code));
    }
  }
}

/** Opens what is left, and says what is in it. */
async function look(): Promise<void> {
  const store = await openSqliteStore({ path, release: "1.2.3" });
  const { schema, revision } = await store.about();
  const event = (await store.events({ most: 1 }))[0]?.event;
  say(JSON.stringify({ schema, revision: Number(revision), roles: await store.count("role"), event: Number(event ?? 0) }));
  await store.close();
}

const work: Readonly<Record<string, () => Promise<unknown>>> = {
  commit: keepCommitting,
  migrate,
  fill: fillDisk,
  full: startFull,
  look,
};
await work[what]?.();
