import { execFileSync } from "node:child_process";
import { chownSync, existsSync, readFileSync, readdirSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { printBackup } from "../../../src/cluster/storage/backup-file.ts";
import type { BackupHeader } from "../../../src/cluster/storage/backup-line.ts";
import type { DumpLine, Revision, Store } from "../../../src/cluster/storage/port.ts";
import { removalsBeside } from "../../../src/cluster/storage/removals.ts";
import { restoreStore } from "../../../src/cluster/storage/restore.ts";
import { openSqliteStore } from "../../../src/cluster/storage/sqlite.ts";
import { backupSentences, writeBackup } from "../../../src/cluster/tctl/write-backup.ts";
import {
  restoreBackup,
  restoreSentences,
  type RestoreMade,
  type RestoreOptions,
} from "../../../src/cluster/tctl/restore-backup.ts";
import { commit, entry, fillSome, put } from "./filled.ts";
import { scratchStore } from "./scratch-store.ts";

const release = "1.2.3";
const header: BackupHeader = { kind: "header", format: 1, cluster: "example", cluster_id: "c", epoch: 1, release, at: 2000 };

const nothing = (store: Store) => () => store.commit(commit([]));

type WithCluster = { readonly path: string; readonly store: Store };

async function withCluster(): Promise<WithCluster> {
  const path = scratchStore();
  const store = await openSqliteStore({ path, release });
  await fillSome(store);
  const tokens = Array.from({ length: 3 }, (_, index) => put("token", `t${index}`));
  await store.commit(
    commit([put("cluster", "cluster", { id: "c", name: "example", epoch: 1 }), put("ticket-keys", "k"), ...tokens]),
  );
  await store.commit(commit([put("user", "alice"), put("user", "bob"), put("instance", "i1", { hostname: "one" })]));
  return { path, store };
}

async function closedWithBackup(): Promise<{ readonly path: string; readonly file: string }> {
  const { path, store } = await withCluster();
  const file = await backedUp(store, path);
  await store.close();
  return { path, file };
}

async function backedUp(store: Store, path: string): Promise<string> {
  const file = join(dirname(dirname(path)), "backup");
  await writeBackup({ file, existing: "refuse", chunks: () => printBackup(header, store.dump()) });
  return file;
}

function optionsFor(file: string, path: string, now = 3000): RestoreOptions {
  return {
    file,
    dataDirectory: dirname(dirname(path)),
    release,
    now,
    by: "root@here",
    run: async () => ({ kind: "not-started", reason: "missing", message: "" }),
  };
}

function restore(file: string, path: string, now?: number): Promise<RestoreMade> {
  return restoreBackup(optionsFor(file, path, now));
}

/** Whole by its digest, whatever its lines hold. */
async function* forged(head: BackupHeader, lines: readonly DumpLine[]): AsyncGenerator<Uint8Array> {
  const texts = [head, ...lines].map((line) => JSON.stringify(line).replace('"@"', deep));
  const text = texts.map((one) => `${one}\n`).join("");
  const sha256 = createHash("sha256").update(text).digest("hex");
  yield await Promise.resolve(Buffer.from(`${text}${JSON.stringify({ kind: "end", lines: texts.length, sha256 })}\n`));
}

/** More levels than can be written again: JSON.stringify itself ends at some thousands. */
const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;

describe("a backup", () => {
  it("is whole, for its owner alone, and says what it holds", async () => {
    const { path, store } = await withCluster();
    const file = join(dirname(dirname(path)), "backup");
    const made = await writeBackup({ file, existing: "refuse", chunks: () => printBackup(header, store.dump()) });
    expect(made).toMatchObject({ items: 258, events: 5 });
    expect(backupSentences(made).join("\n")).toMatch(/key of the cluster's certificate authority/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(file)).toSorted()).toEqual(["auth", "backup"]);
    await store.close();
  });

  it("overwrites nothing unless it is told to", async () => {
    const { path, store } = await withCluster();
    const file = await backedUp(store, path);
    const before = readFileSync(file);
    const chunks = () => printBackup({ ...header, at: 2001 }, store.dump());
    await expect(writeBackup({ file, existing: "refuse", chunks })).rejects.toMatchObject({ code: "resource-exists" });
    expect(readFileSync(file).equals(before)).toBe(true);
    await writeBackup({ file, existing: "replace", chunks });
    expect(readFileSync(file).equals(before)).toBe(false);
    await store.close();
  });

  it("takes the place of a file alone, whatever it is told", async () => {
    const { path, store } = await withCluster();
    const file = join(dirname(dirname(path)), "stdout");
    symlinkSync("/dev/null", file);
    for (const [at, kind] of [
      [file, "not a regular file"],
      [dirname(file), "a directory"],
    ] as const) {
      for (const existing of ["refuse", "replace"] as const) {
        const taking = writeBackup({ file: at, existing, chunks: () => printBackup(header, store.dump()) });
        await expect(taking).rejects.toMatchObject({
          code: "resource-exists",
          message: `${at} is ${kind}, and was not touched`,
          hint: "name a new file: `tctl backup FILE`",
        });
      }
    }
    await store.close();
  });

  it("leaves no file where it breaks off", async () => {
    const { path, store } = await withCluster();
    const file = join(dirname(dirname(path)), "backup");
    async function* cut(): AsyncGenerator<Uint8Array> {
      for await (const chunk of printBackup(header, store.dump())) yield chunk.subarray(0, 1000);
    }
    await expect(writeBackup({ file, existing: "refuse", chunks: cut })).rejects.toMatchObject({ code: "backup-invalid" });
    expect(readdirSync(dirname(file))).toEqual(["auth"]);
    await store.close();
  });
});

describe("a restore", () => {
  it("brings back what was there, in a higher epoch, without tokens, and keeps the old store", async () => {
    const { path, store } = await withCluster();
    const file = await backedUp(store, path);
    await store.commit({ ...commit([put("role", "since")], [entry("role.created")]), at: header.at });
    await store.close();
    const made = await restore(file, path);
    expect(made).toMatchObject({ epoch: 2, voidedTokens: 3, removedAgain: [] });
    expect(made.aside).toBe(join(dirname(path), `${basename(path)}.before-1970-01-01T005000Z`));
    expect(restoreSentences(made).join("\n")).toContain(`
changed since the backup, as the audit of that store shows, and gone now:
  1970-01-01T00:33:20Z role.created role/a by root@here
start auth`);
    const restored = await openSqliteStore({ path, release });
    expect(await restored.count("role")).toBe(250);
    expect(await restored.count("token")).toBe(0);
    expect(await restored.count("ticket-keys")).toBe(0);
    expect(await restored.get({ kind: "cluster", name: "cluster" })).toMatchObject({ body: { epoch: 2, id: "c" } });
    expect(Number((await restored.about()).revision)).toBeGreaterThan(1e12);
    expect(await restored.events({ most: 1 })).toMatchObject([{ event: "cluster.restore", actor: "root@here" }]);
    await restored.close();
    const old = await openSqliteStore({ path: join(made.aside ?? "", basename(path)), release });
    expect(await old.get({ kind: "role", name: "since" })).toBeDefined();
    await old.close();
    expect(readdirSync(dirname(path)).filter((name) => name.includes("restored"))).toEqual([]);
  });

  it("of another cluster than the configuration names is refused, and changes nothing", async () => {
    const { path, file } = await closedWithBackup();
    const before = readFileSync(path);
    await expect(restoreBackup({ ...optionsFor(file, path), clusterName: "other" })).rejects.toMatchObject({
      code: "configuration-invalid",
      message: expect.stringContaining("a backup of the cluster example, and auth_service.cluster_name is other"),
    });
    expect(readFileSync(path).equals(before)).toBe(true);
    expect((await restoreBackup({ ...optionsFor(file, path), clusterName: "example" })).epoch).toBe(2);
  });

  it("counts epochs on, also where the store that held the last one is damaged", async () => {
    const { path, file } = await closedWithBackup();
    expect((await restore(file, path, 3000)).epoch).toBe(2);
    truncateSync(path, 4096);
    const made = await restore(file, path, 3001);
    expect(made.epoch).toBe(3);
    expect(restoreSentences(made).join("\n")).toContain("this host has no journal");
  });

  it("waits for no named pipe, and names a file that has no name", async () => {
    const path = scratchStore();
    const pipe = join(dirname(dirname(path)), "pipe");
    execFileSync("mkfifo", [pipe]);
    await expect(restore(pipe, path)).rejects.toMatchObject({ message: `${pipe} cannot be read: it is a named pipe` });
    await expect(restore("", path)).rejects.toMatchObject({
      message: "'' cannot be read: no such file or directory (ENOENT)",
      hint: "see what it is: `ls -l ''`",
    });
  });

  it("removes again what was removed since, but not what was made anew before", async () => {
    const { path, store } = await withCluster();
    const removals = removalsBeside(path);
    const at = { at: 1500, revision: "7" as Revision, until: undefined };
    // Alice was removed and made anew before the backup.
    await removals.during({ kind: "user", name: "alice", ...at, revision: "2" as Revision }, nothing(store));
    const file = await backedUp(store, path);
    await removals.during({ kind: "user", name: "bob", ...at }, nothing(store));
    await removals.during({ kind: "instance", name: "i1", keyDigest: "d1", ...at }, nothing(store));
    await removals.during({ kind: "instance", name: "i2", keyDigest: "d2", ...at }, nothing(store));
    await store.close();
    const made = await restore(file, path);
    expect(made.removedAgain.map(({ name }) => name)).toEqual(["bob", "i1", "i2"]);
    const restored = await openSqliteStore({ path, release });
    expect(await restored.get({ kind: "user", name: "alice" })).toBeDefined();
    expect(await restored.get({ kind: "user", name: "bob" })).toBeUndefined();
    expect(await restored.get({ kind: "instance", name: "i1" })).toMatchObject({ body: { removed: 1500, hostname: "one" } });
    expect(await restored.count("instance-key")).toBe(2);
    await restored.close();
  });

  it("brings no authority back that a rotation took away since, unless it is the newest of the backup", async () => {
    const { path, store } = await withCluster();
    const removals = removalsBeside(path);
    await store.commit(
      commit([put("authority", "b", { made: 1 }), put("authority", "a", { made: 2 }), put("ca-rotation", "current")]),
    );
    const at = { at: 1500, revision: (await store.about()).revision, until: undefined };
    const file = await backedUp(store, path);
    for (const name of ["b", "a"]) await removals.during({ kind: "authority", name, ...at }, nothing(store));
    await store.close();
    const made = await restore(file, path);
    expect(made.removedAgain.map(({ name }) => name)).toEqual(["b"]);
    expect(made.trustedAgain).toEqual(["a"]);
    expect(restoreSentences(made).join("\n")).toMatch(
      /^trusted again, .*: authority a; once svc runs, .*`tctl ca rotate`, twice;/m,
    );
    const restored = await openSqliteStore({ path, release });
    expect((await restored.list("authority", { after: undefined, most: 10 })).map(({ name }) => name)).toEqual(["a"]);
    expect(await restored.count("ca-rotation")).toBe(0);
    await restored.close();
  });

  it("ends sessions and invitations, and brings back no password that became void since", async () => {
    const { path, store } = await withCluster();
    const removals = removalsBeside(path);
    const kept = ["alice", "bob", "carl"];
    await store.commit(
      commit([
        ...kept.map((name) => put("credential", name)),
        put("session", "s"),
        put("invitation", "i"),
        put("shell", "a/b"),
        put("ssh-authority", "user-1"),
      ]),
    );
    const revision = (await store.about()).revision;
    const file = await backedUp(store, path);
    const at = { at: 1500, revision, until: undefined };
    for (const later of [revision, String(Number(revision) + 1) as Revision]) {
      await removals.during({ kind: "password", name: "alice", ...at, revision: later }, nothing(store));
    }
    await removals.during({ kind: "user", name: "bob", ...at }, nothing(store));
    // Of an earlier one, before the backup.
    await removals.during({ kind: "password", name: "carl", ...at, revision: "1" as Revision }, nothing(store));
    await store.close();
    const made = await restore(file, path);
    expect(made.removedAgain.map(({ kind, name }) => `${kind} ${name}`)).toEqual(["password alice", "user bob"]);
    const restored = await openSqliteStore({ path, release });
    const left = await restored.list("credential", { after: undefined, most: 10 });
    expect(left.map(({ name }) => name)).toEqual(["carl"]);
    const counts = ["session", "invitation", "shell", "ssh-authority"].map((kind) => restored.count(kind));
    expect(await Promise.all(counts)).toEqual([0, 0, 0, 1]);
    await restored.close();
  });

  it("works where there is no store, and is refused while one is open", async () => {
    const { path, store } = await withCluster();
    const file = await backedUp(store, path);
    await expect(restore(file, path)).rejects.toMatchObject({ code: "store-in-use" });
    const elsewhere = scratchStore();
    expect((await restore(file, elsewhere)).aside).toBeUndefined();
    await store.close();
  });

  it.each<[string, (text: string) => string]>([
    ["cut off", (text) => text.slice(0, -200)],
    ["cut off at a line", (text) => text.split("\n").slice(0, -2).join("\n") + "\n"],
    ["changed in one character", (text) => text.replace("1111", "1112")],
    ["a line less", (text) => text.split("\n").toSpliced(9, 1).join("\n")],
    [
      "two lines in another order",
      (text) => {
        const lines = text.split("\n");
        [lines[8], lines[9]] = [lines[9] ?? "", lines[8] ?? ""];
        return lines.join("\n");
      },
    ],
    ["something after its end", (text) => `${text}{}\n`],
    ["an item without a name", (text) => text.replace('"name":"r0-1"', '"name":""')],
    ["another format", (text) => text.replace('"format":1', '"format":2')],
    ["empty", () => ""],
    ["one endless line", () => "x".repeat(6 * 1024 * 1024)],
    ["a program", () => "\u007fELF\0\0\n\0"],
  ])("of a file that is %s is refused, and the store stays as it is", async (_, change) => {
    const { path, file } = await closedWithBackup();
    writeFileSync(file, change(readFileSync(file, "utf8")));
    const before = readFileSync(path);
    await expect(restore(file, path)).rejects.toMatchObject({ code: "backup-invalid" });
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(dirname(path)).toSorted()).toEqual([basename(path), `${basename(path)}.lock`]);
  });

  const counted = { kind: "counted", counted: { revision: "9" as Revision, event: 9 } } as const;
  const itemOf = (kind: string, body: object, revision = "1"): DumpLine => ({
    kind: "item",
    item: { kind, name: kind, revision: revision as Revision, changedAt: 1, changedBy: "root@here", body: body as {} },
  });
  const clusterLine = itemOf("cluster", { id: "c", name: "example", epoch: 1 });
  const eventOf = (number: number): DumpLine => ({ kind: "event", event: { ...entry("x"), number, at: 1 } });

  it.each<[string, readonly DumpLine[], Partial<BackupHeader>]>([
    ["the last number of all as its epoch", [counted, clusterLine], { epoch: Number.MAX_SAFE_INTEGER }],
    ["a time that no calendar has", [counted, clusterLine], { at: Number.MAX_SAFE_INTEGER }],
    [
      "the last number of all as its event",
      [{ kind: "counted", counted: { ...counted.counted, event: 2 ** 53 - 1 } }, clusterLine],
      {},
    ],
    [
      "a revision of a later epoch",
      [{ kind: "counted", counted: { ...counted.counted, revision: "999999999999999" as Revision } }, clusterLine],
      {},
    ],
    ["an item beyond its count", [counted, clusterLine, itemOf("role", {}, "10")], {}],
    ["an event beyond its count", [counted, clusterLine, eventOf(10)], {}],
    ["an item of a hundred thousand levels", [counted, clusterLine, itemOf("role", { a: "@" })], {}],
    ["no cluster", [counted], {}],
    ["another cluster", [counted, itemOf("cluster", { id: "d" })], {}],
  ])("of a file that has %s is refused, and the store stays as it is", async (_, lines, changed) => {
    const { path } = await closedWithBackup();
    const before = readFileSync(path);
    const source = forged({ ...header, ...changed }, lines);
    const restoring = restoreStore({ path, release, source, name: "backup", now: 3000, by: "root@here" });
    await expect(restoring).rejects.toMatchObject({
      code: "backup-invalid",
      message: expect.stringContaining("backup is no whole backup"),
    });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("of one file twice in a second keeps both stores that were there", async () => {
    const { path, file } = await closedWithBackup();
    const [first, second] = [await restore(file, path), await restore(file, path)];
    expect(second.aside).toBe(`${first.aside}-2`);
    for (const { aside } of [first, second]) expect(existsSync(join(aside ?? "", basename(path)))).toBe(true);
  });

  it("of a file that is missing says so", async () => {
    await expect(restore("/nowhere/backup", scratchStore())).rejects.toMatchObject({
      code: "backup-invalid",
      message: expect.stringContaining("ENOENT"),
    });
    expect(existsSync("/nowhere")).toBe(false);
  });
});

describe.skipIf(process.geteuid?.() !== 0)("a restore that root types for another user", () => {
  const owner = 4711;

  async function backupOf(): Promise<Buffer> {
    return readFileSync((await closedWithBackup()).file);
  }

  function scratchOf(user: number): string {
    const path = scratchStore();
    chownSync(dirname(dirname(path)), user, user);
    return path;
  }

  it("is that user's, and of the file alone root's", async () => {
    const path = scratchOf(owner);
    const backup = await backupOf();
    const groups = process.getgroups?.();
    const file = join(dirname(scratchStore()), "..", "backup");
    writeFileSync(file, backup, { mode: 0o600 });
    await restore(file, path);
    // As root brings it from another host.
    writeFileSync(`${path}.removals`, "", { mode: 0o600 });
    const hint = expect.stringContaining(`sudo chown --reference=${dirname(path)} `);
    await expect(restore(file, path)).rejects.toMatchObject({ code: "store-unreadable", hint });
    chownSync(`${path}.removals`, owner, owner);
    await restore(file, path, 3001);
    for (const name of ["", ...readdirSync(dirname(path), { recursive: true, encoding: "utf8" })]) {
      const { uid, gid, mode } = statSync(join(dirname(path), name));
      expect([name, uid, gid, mode & 0o077]).toEqual([name, owner, owner, 0]);
    }
    expect([process.geteuid?.(), process.getegid?.(), process.getgroups?.()]).toEqual([0, 0, groups]);
  });

  it("touches nothing of root's, whatever that user puts in the place of its files meanwhile", async () => {
    const path = scratchOf(owner);
    const roots = dirname(dirname(scratchStore()));
    const backup = await backupOf();
    // A note of a replacement that was cut off: whoever opens the store next moves it into that directory.
    async function* exchanging(): AsyncGenerator<Uint8Array> {
      expect(process.geteuid?.()).toBe(owner);
      const by = `${path}.restored`;
      for (const name of [by, `${path}.other`]) writeFileSync(name, "not root's", { mode: 0o600 });
      symlinkSync(roots, `${path}.aside`);
      const note = JSON.stringify({ by: `${basename(path)}.other`, aside: `${basename(path)}.aside` });
      writeFileSync(`${by}.replacing`, note, { mode: 0o600 });
      yield await Promise.resolve(backup);
    }
    const restoring = restoreStore({ path, release, source: exchanging(), name: "backup", now: 3000, by: "root@here" });
    const code = await restoring.catch((thrown: { readonly code: string }) => thrown.code);
    expect([code, readdirSync(roots)]).toEqual(["store-failed", []]);
    expect(process.geteuid?.()).toBe(0);
  });
});
