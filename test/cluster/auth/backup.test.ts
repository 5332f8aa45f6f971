import { createReadStream, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { Fault } from "../../../src/rules/fault/fault.ts";
import { readBackup } from "../../../src/cluster/storage/backup-file.ts";
import { writeBackup } from "../../../src/cluster/tctl/write-backup.ts";
import { overSocket } from "../../../src/cluster/api/root-socket.ts";
import { backupPieces } from "../../../src/cluster/tctl/backup-pieces.ts";
import { restoreStore } from "../../../src/cluster/storage/restore.ts";
import { openSqliteStore } from "../../../src/cluster/storage/sqlite.ts";
import { monday } from "./running.ts";
import { testRunning as it } from "./fixtures.ts";
import { commit, put } from "../storage/filled.ts";

describe("a backup that a running auth service makes at root's socket", () => {
  it("holds all of the cluster, and that it was made", async ({ running }) => {
    const file = join(running.directory, "backup");
    const text = "ü".repeat(100_000);
    await running.store.commit(commit(["a", "b", "c"].map((name) => put("role", name, { text }))));
    const made = await writeBackup({ file, existing: "refuse", chunks: () => backupPieces(overSocket(running.auth.socketPath)) });
    // The key is in the file, and nowhere else.
    expect(readFileSync(file, "utf8")).toContain("PRIVATE KEY");
    expect(JSON.stringify(running.lines)).not.toContain("PRIVATE");
    expect(made.header).toMatchObject({ cluster: "example", release: "15.4.5", at: monday, format: 1 });
    const { lines } = await readBackup(createReadStream(file), file);
    const found: string[] = [];
    for await (const some of lines) {
      for (const line of some) {
        if (line.kind === "item" && line.item.kind === "role") found.push(line.item.name);
        if (line.kind === "event" && line.event.event === "cluster.backup") found.push(line.event.actor);
      }
    }
    expect(found.toSorted()).toEqual(["a", "b", "c", "root@auth1"]);

    const path = join(running.directory, "other", "cluster.db");
    const { epoch } = await restoreStore({
      path,
      release: "15.4.5",
      source: createReadStream(file),
      name: file,
      now: monday,
      by: "root@auth1",
    });
    const restored = await openSqliteStore({ path, release: "15.4.5" });
    expect((await restored.get({ kind: "role", name: "b" }))?.body).toEqual({ text });
    expect((await restored.get({ kind: "cluster", name: "cluster" }))?.body["epoch"]).toBe(epoch);
    await restored.close();
  });

  it("is refused where the cluster is gone from the store: nobody could restore it", async ({ running }) => {
    const gone = { kind: "delete", item: { kind: "cluster", name: "cluster" }, expect: { kind: "present" } } as const;
    await running.store.commit(commit([gone]));
    const file = join(running.directory, "backup");
    const chunks = (): AsyncGenerator<Uint8Array> => backupPieces(overSocket(running.auth.socketPath));
    await expect(writeBackup({ file, existing: "refuse", chunks })).rejects.toMatchObject({ code: "store-unreadable" });
  });

  it("is refused plainly where nobody answers", async () => {
    const chunks = (): AsyncGenerator<Uint8Array> => backupPieces(overSocket("/nowhere/auth.sock"));
    await expect(writeBackup({ file: "/tmp/never-written", existing: "refuse", chunks })).rejects.toMatchObject({
      code: "auth-unreachable",
    });
  });

  it("leaves no file and tells what hinders it, where auth may not be asked", async ({ running }) => {
    const refused = new Fault("not-permitted", { message: "only root may", hint: "run it as root" });
    // oxlint-disable-next-line require-yield
    async function* chunks(): AsyncGenerator<Uint8Array> {
      throw refused;
    }
    await expect(writeBackup({ file: join(running.directory, "backup"), existing: "refuse", chunks })).rejects.toBe(refused);
    expect(readdirSync(running.directory)).not.toContain("backup");
  });
});
