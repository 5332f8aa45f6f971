import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { LockHolder } from "../../../../src/machine/processes/lock-holder.ts";
import { withDatabaseCopy, type CopyingDatabase } from "../../../../src/updater/package/rpm/database-copy.ts";
import { scratchFolder } from "../../../machine/files/scratch.ts";

const scratch = scratchFolder();
let root: string;
const database = (name: string = ""): string => join(root, "var/lib/rpm", name);
const copy = (name: string = ""): string => join(root, "var/lib/svc-upgrade/rpm-copy", name);

beforeEach(() => {
  root = mkdtempSync(`${scratch}/root-`);
  mkdirSync(database(), { recursive: true });
  writeFileSync(database("rpmdb.sqlite"), "tables");
  writeFileSync(database("rpmdb.sqlite-wal"), "more");
});

type Host = { readonly calls: CopyingDatabase; readonly asked: (readonly string[])[]; readonly looked: () => number };

/** An rpm whose lock has these holders, from one look to the next; then none. */
function rpm(holders: readonly (LockHolder | undefined)[] = []): Host {
  const asked: (readonly string[])[] = [];
  let looked = 0;
  const calls: CopyingDatabase = {
    root,
    ask: async (args) => {
      asked.push(args);
      return { status: 0, stdout: "/var/lib/rpm\n", output: "" };
    },
    lockHolder: () => holders[(looked += 1) - 1],
    patience: { forMs: 2, everyMs: 1 },
  };
  return { calls, asked, looked: () => looked };
}

const other: LockHolder = { pid: 7, program: "rpm" };

describe("a copy of rpm's database", () => {
  test("has all that is in it, where only root may enter, and is gone afterwards", async () => {
    const { calls, asked, looked } = rpm();
    const told = await withDatabaseCopy(calls, async (path) => {
      expect(readdirSync(copy()).toSorted()).toEqual(["rpmdb.sqlite", "rpmdb.sqlite-wal"]);
      expect([readFileSync(copy("rpmdb.sqlite"), "utf8"), statSync(copy()).mode & 0o777]).toEqual(["tables", 0o700]);
      return path;
    });
    // Where rpm finds it from within its root.
    expect(told).toBe("/var/lib/svc-upgrade/rpm-copy");
    expect([asked, looked()]).toEqual([[["--eval", "%{_dbpath}"]], 2]);
    expect(existsSync(copy())).toBe(false);
  });

  test("is without locks, what is made again by itself, what is empty, and what is no file", async () => {
    for (const name of [".rpm.lock", ".dbenv.lock", "__db.001", "rpmdb.sqlite-shm"]) writeFileSync(database(name), "passing");
    writeFileSync(database("Empty"), "");
    mkdirSync(database("folder"));
    for (const name of ["Packages", "rpm.lock", "a__db."]) writeFileSync(database(name), "x");
    await withDatabaseCopy(rpm().calls, async () => {
      expect(readdirSync(copy()).toSorted()).toEqual(["Packages", "a__db.", "rpm.lock", "rpmdb.sqlite", "rpmdb.sqlite-wal"]);
    });
  });

  test("takes the place of what a power cut has left of an earlier one", async () => {
    mkdirSync(copy(), { recursive: true });
    writeFileSync(copy("Packages"), "half");
    await withDatabaseCopy(rpm().calls, async () => expect(existsSync(copy("Packages"))).toBe(false));
  });

  test("is made again where somebody wrote meanwhile, and of what nobody writes to", async () => {
    for (const holders of [[other], [undefined, other]]) {
      const { calls, looked } = rpm(holders);
      await withDatabaseCopy(calls, async () => expect(readFileSync(copy("rpmdb.sqlite"), "utf8")).toBe("tables"));
      expect(looked()).toBe(holders.length + 2);
    }
  });

  test("has nothing of a try before it", async () => {
    const { calls, looked } = rpm([undefined, other]);
    const lockHolder = (): LockHolder | undefined => {
      if (looked() === 1) rmSync(database("rpmdb.sqlite-wal"));
      return calls.lockHolder();
    };
    await withDatabaseCopy({ ...calls, lockHolder }, async () => expect(readdirSync(copy())).toEqual(["rpmdb.sqlite"]));
  });

  test("is none of a database that is being written to all the time; who it is is told where that is seen", async () => {
    const work = async (): Promise<never> => Promise.reject(new Error("not worked with"));
    await expect(withDatabaseCopy(rpm(Array.from({ length: 9 }, () => other)).calls, work)).rejects.toMatchObject({
      code: "manager-busy",
      message: "rpm's database is locked. It is held by process 7 (rpm)",
      hint: "wait for it to end; the next pass tries again",
    });
    const unseen = Array.from({ length: 9 }, (_, at) => (at % 2 === 0 ? undefined : other));
    await expect(withDatabaseCopy(rpm(unseen).calls, work)).rejects.toMatchObject({
      code: "manager-busy",
      message: "rpm's database is being written to, and could not be copied",
    });
    expect(existsSync(copy())).toBe(false);
  });

  test("is gone after work that failed", async () => {
    await expect(withDatabaseCopy(rpm().calls, async () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
    expect(existsSync(copy())).toBe(false);
  });

  test("is none where there is no room for twice its size, and nothing is begun", async () => {
    truncateSync(database("rpmdb.sqlite"), 8 * 1024 ** 4);
    await expect(withDatabaseCopy(rpm().calls, async () => undefined)).rejects.toMatchObject({
      code: "no-space",
      message: expect.stringMatching(/^a copy of rpm's database needs 17592187 MB on \/\S*, and \d+ MB are free$/) as string,
      hint: expect.stringMatching(/^free space there: `df -h \/\S*` shows how much is left$/) as string,
    });
    expect(existsSync(copy())).toBe(false);
  });

  test("is none where the database is not there, or its place is no directory", async () => {
    rmSync(database(), { recursive: true });
    await expect(withDatabaseCopy(rpm().calls, async () => undefined)).rejects.toMatchObject({
      code: "file-failed",
      message: expect.stringContaining(`${root}/var/lib/rpm could not be copied there`) as string,
    });
    rmSync(join(root, "var/lib/svc-upgrade"), { recursive: true });
    writeFileSync(join(root, "var/lib/svc-upgrade"), "");
    await expect(withDatabaseCopy(rpm().calls, async () => undefined)).rejects.toMatchObject({
      code: "file-failed",
      message: expect.stringContaining("/var/lib/svc-upgrade: no directory could be made in it") as string,
    });
  });
});
