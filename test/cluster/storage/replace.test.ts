import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { replaceStore } from "../../../src/cluster/storage/replace.ts";
import { openSqliteStore } from "../../../src/cluster/storage/sqlite.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "replace-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function storeWith(path: string, name: string): Promise<void> {
  const store = await openSqliteStore({ path, release: "15.4.5" });
  await store.commit({
    at: 1_767_614_400,
    by: "root@auth1",
    changes: [{ kind: "put", item: { kind: "role", name }, body: { spec: {} }, expect: { kind: "absent" } }],
    audit: [],
  });
  await store.close();
}

async function namesIn(path: string): Promise<readonly string[]> {
  const store = await openSqliteStore({ path, release: "15.4.5" });
  const items = await store.list("role", { after: undefined, most: 10 });
  await store.close();
  return items.map(({ name }) => name);
}

describe("a store that takes the place of another one", () => {
  test("is what is opened from then on, and the old one is kept whole beside it", async () => {
    const [path, by] = [join(folder, "cluster.db"), join(folder, "restored.db")];
    await storeWith(path, "old");
    await storeWith(by, "new");
    replaceStore({ path, by, aside: "before" });
    expect(await namesIn(path)).toEqual(["new"]);
    expect(await namesIn(join(folder, "before", "cluster.db"))).toEqual(["old"]);
    expect(existsSync(by)).toBe(false);
  });

  test("takes it at the next start where a power cut came right after the note", async () => {
    const [path, by] = [join(folder, "cluster.db"), join(folder, "restored.db")];
    await storeWith(path, "old");
    await storeWith(by, "new");
    replaceStore({ path: join(folder, "other.db"), by: join(folder, "none.db"), aside: "before" });
    writeFileSync(`${path}.replacing`, JSON.stringify({ by: "restored.db", aside: "before" }), { mode: 0o600 });
    expect(await namesIn(path)).toEqual(["new"]);
    expect(readdirSync(folder).filter((name) => name.endsWith(".replacing"))).toEqual([]);
  });

  test("is not guessed at from a note that cannot be read", async () => {
    const path = join(folder, "cluster.db");
    await storeWith(path, "old");
    writeFileSync(`${path}.replacing`, '{"by":"../elsewhere","aside":"before"}', { mode: 0o600 });
    await expect(namesIn(path)).rejects.toMatchObject({ code: "store-unreadable" });
    rmSync(`${path}.replacing`);
    expect(await namesIn(path)).toEqual(["old"]);
  });
});
