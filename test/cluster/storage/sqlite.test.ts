import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, it } from "vitest";
import { openSqliteStore } from "../../../src/cluster/storage/sqlite.ts";
import type { Store } from "../../../src/cluster/storage/port.ts";
import { newScratchStore } from "./scratch-store.ts";
import { conformance } from "./conformance.ts";

describe("the store on SQLite", () => {
  const opened: { readonly store: Store; readonly path: string }[] = [];

  afterEach(async () => {
    for (const { store, path } of opened.splice(0)) {
      await store.close();
      rmSync(dirname(dirname(path)), { recursive: true });
    }
  });

  conformance(async () => {
    const path = newScratchStore();
    const store = await openSqliteStore({ path, release: "1.2.3" });
    opened.push({ store, path });
    return store;
  });
});

describe("SQLite itself", () => {
  it("is of a release whose log loses nothing", () => {
    // 3.51.3 mends the reset of a log while it is being moved (https://www.sqlite.org/wal.html, "The WAL-reset bug").
    const { version } = new DatabaseSync(":memory:").prepare("SELECT sqlite_version() AS version").get() as { version: string };
    const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
    expect(major * 1e6 + minor * 1e3 + patch).toBeGreaterThanOrEqual(3_051_003);
  });
});
