import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openCluster } from "../../../src/cluster/auth/cluster.ts";
import type { Store } from "../../../src/cluster/storage/port.ts";
import { openSqliteStore } from "../../../src/cluster/storage/sqlite.ts";
import { now } from "../identity/made.ts";
import { commit } from "../storage/filled.ts";

let folder: string;
let path: string;
let store: Store;
const open = (): Promise<Store> => openSqliteStore({ path, release: "15.4.5" });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "cluster-"));
  path = join(folder, "store", "cluster.db");
  store = await open();
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("a cluster", () => {
  test("begins in an empty store, and is the same one after a restart", async () => {
    const begun = await openCluster(store, { name: "example", now });
    expect(begun.facts).toMatchObject({ name: "example", epoch: 1 });
    await store.close();
    store = await open();
    const again = await openCluster(store, { name: "example", now: now + 60 });
    expect([again.facts, again.authorities.signing]).toEqual([begun.facts, begun.authorities.signing]);
    expect(await store.events({ most: 10 })).toMatchObject([{ event: "cluster.begun", actor: "auth", name: "example" }]);
  });

  test("is one where two begin it at once", async () => {
    const [one, other] = await Promise.all([
      openCluster(store, { name: "example", now }),
      openCluster(store, { name: "example", now }),
    ]);
    expect(one.facts).toEqual(other.facts);
    expect([one.authorities.trusted.length, one.authorities.signing]).toEqual([1, other.authorities.signing]);
  });

  test("keeps its name", async () => {
    await openCluster(store, { name: "example", now });
    await expect(openCluster(store, { name: "other", now })).rejects.toMatchObject({
      code: "configuration-invalid",
      message: "auth_service.cluster_name is other, and the store is that of the cluster example",
    });
  });

  test("keeps its key from everybody else", async () => {
    await openCluster(store, { name: "example", now });
    const modes = [join(folder, "store"), path].map((one) => statSync(one).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600]);
    expect(JSON.stringify(await store.events({ most: 10 }))).not.toContain("PRIVATE");
  });

  test.each([
    ["no authority", "authority", "it has no certificate authority"],
    ["an authority without its key", "key", "has no certificate or key"],
    ["an authority without its cluster", "cluster", "it has a certificate authority, and no cluster"],
  ])("is not opened with %s", async (_what, lacking, saying) => {
    const { authorities } = await openCluster(store, { name: "example", now });
    const item =
      lacking === "cluster" ? { kind: "cluster", name: "cluster" } : { kind: "authority", name: authorities.signing.pin };
    const change =
      lacking !== "key"
        ? ({ kind: "delete", item, expect: { kind: "present" } } as const)
        : ({ kind: "put", item, body: { certificate: "none" }, expect: { kind: "present" } } as const);
    await store.commit(commit([change]));
    await expect(openCluster(store, { name: "example", now })).rejects.toMatchObject({
      code: "store-unreadable",
      message: expect.stringContaining(saying),
    });
  });
});
