import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { chownSync, closeSync, symlinkSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openSqliteStore } from "../../../src/cluster/storage/sqlite.ts";
import { commit, fillSome, put } from "./filled.ts";
import { scratchStore } from "./scratch-store.ts";

const release = "1.2.3";

/** As it lies when its program was killed: open, with its log. */
async function killed(): Promise<string> {
  const path = scratchStore();
  const store = await openSqliteStore({ path, release });
  await fillSome(store);
  const copy = `${dirname(path)}-killed`;
  // By another process: to close a file of the store here would give up the locks on it.
  spawnSync("cp", ["-r", dirname(path), copy]);
  chmodSync(copy, 0o700);
  await store.close();
  return join(copy, basename(path));
}

async function closed(): Promise<string> {
  const path = scratchStore();
  const store = await openSqliteStore({ path, release });
  await fillSome(store);
  await store.close();
  return path;
}

function overwrite(path: string, at: number, bytes: Buffer): void {
  const file = openSync(path, "r+");
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

const garbage: Buffer = Buffer.alloc(4096, 0x5a);

function contents(path: string): Readonly<Record<string, string>> {
  const directory = dirname(path);
  const kept = readdirSync(directory).filter((name) => !/(-shm|\.lock)$/.test(name));
  return Object.fromEntries(
    kept.map((name) => [
      name,
      readFileSync(join(directory, name)).length +
        createHash("sha256")
          .update(readFileSync(join(directory, name)))
          .digest("hex"),
    ]),
  );
}

describe("a damaged store", () => {
  it.each<[string, () => Promise<string>, (path: string) => unknown]>([
    ["cut in half", closed, (path) => truncateSync(path, Math.floor(statSync(path).size / 8192) * 4096)],
    ["emptied", closed, (path) => truncateSync(path, 0)],
    ["a page of garbage", closed, (path) => overwrite(path, 4096 * 5, garbage)],
    [
      "pages of garbage everywhere",
      closed,
      (path) => {
        for (let at = 4096; at < statSync(path).size; at += 4096) overwrite(path, at, garbage);
      },
    ],
    ["a header of garbage", closed, (path) => overwrite(path, 0, garbage.subarray(0, 100))],
    ["something else altogether", closed, (path) => writeFileSync(path, "hello, I am a text\n".repeat(500))],
    [
      "another database",
      closed,
      (path) => {
        rmSync(path);
        spawnSync(process.execPath, [
          "-e",
          `new (require("node:sqlite").DatabaseSync)(${JSON.stringify(path)}).exec("CREATE TABLE store (id)")`,
        ]);
      },
    ],
    ["its log gone", killed, (path) => rmSync(`${path}-wal`)],
    ["its log empty", killed, (path) => truncateSync(`${path}-wal`, 0)],
    ["its log garbage", killed, (path) => overwrite(`${path}-wal`, 0, garbage)],
    ["the log of another store", killed, async (path) => cpSync(`${await killed()}-wal`, `${path}-wal`)],
    ["the log of another store, and closed before", closed, async (path) => cpSync(`${await killed()}-wal`, `${path}-wal`)],
    ["itself gone and its log there", killed, (path) => rmSync(path)],
    ["the marker unreadable", killed, (path) => writeFileSync(`${path}.open`, "{")],
  ])("with %s is told, and nothing is written to it", async (_, make, damage) => {
    const path = await make();
    await damage(path);
    const before = contents(path);
    await expect(openSqliteStore({ path, release })).rejects.toMatchObject({ code: "store-unreadable" });
    expect(contents(path)).toEqual(before);
  });

  it("is found where one value was changed", async () => {
    const path = await closed();
    const bytes = readFileSync(path);
    bytes[bytes.indexOf("3".repeat(300)) + 100] = 0x34;
    writeFileSync(path, bytes);
    const store = await openSqliteStore({ path, release });
    await expect(
      store.list("role", { after: undefined, most: 100 }).then(() => store.list("role", { after: "r2", most: 100 })),
    ).rejects.toMatchObject({
      code: "store-unreadable",
    });
    await store.close();
  });

  it("is no store that was merely killed: everything is there", async () => {
    const path = await killed();
    const store = await openSqliteStore({ path, release });
    expect(await store.count("role")).toBe(250);
    expect((await store.about()).revision).toBe("5");
    await store.close();
    expect(existsSync(`${path}.open`)).toBe(false);
    const again = await openSqliteStore({ path, release });
    expect(await again.count("role")).toBe(250);
    await again.close();
  });
});

describe("the place of a store", () => {
  it("is for its owner alone", async () => {
    const path = scratchStore();
    const store = await openSqliteStore({ path, release });
    await store.commit(commit([put("role", "a")]));
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(dirname(path)))
      expect([name, statSync(join(dirname(path), name)).mode & 0o777]).toEqual([name, 0o600]);
    await store.close();
  });

  it.each<[string, (path: string) => void, RegExp]>([
    [
      "a symbolic link",
      (path) => {
        renameSync(path, `${path}.real`);
        symlinkSync(`${path}.real`, path);
      },
      /symbolic link/,
    ],
    ["a second name of another file", (path) => linkSync(path, `${path}.second`), /another name/],
    [
      "a named pipe",
      (path) => {
        rmSync(path);
        spawnSync("mkfifo", [path]);
      },
      /named pipe/,
    ],
    [
      "a directory",
      (path) => {
        rmSync(path);
        mkdirSync(path);
      },
      /directory/,
    ],
    ["in a directory that others write to", (path) => chmodSync(dirname(path), 0o777), /written by other users/],
    [
      "a lock that is a link",
      (path) => {
        rmSync(`${path}.lock`);
        symlinkSync("/dev/null", `${path}.lock`);
      },
      /symbolic link/,
    ],
  ])("is refused where it is %s", async (_, change, why) => {
    const path = await closed();
    change(path);
    await expect(openSqliteStore({ path, release })).rejects.toMatchObject({
      code: "store-failed",
      message: expect.stringMatching(why),
    });
  });

  it.skipIf(process.geteuid?.() !== 0)("is refused where it or its directory is another user's, by root too", async () => {
    const path = await closed();
    for (const name of [path, dirname(path)]) {
      chownSync(name, 4711, 4711);
      await expect(openSqliteStore({ path, release })).rejects.toMatchObject({
        code: "store-failed",
        message: expect.stringContaining("belongs to user 4711"),
      });
      chownSync(name, 0, 0);
    }
  });
});
