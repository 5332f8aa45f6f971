import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { packageFilesBelow, readAnyHeader, readHeader } from "../../../../src/updater/package/rpm/package-files.ts";
import { scratchFolder } from "../../../machine/files/scratch.ts";

const folder = scratchFolder();
const said =
  (stdout: string, status = 0) =>
  (): ReturnType<Parameters<typeof readHeader>[0]> =>
    Promise.resolve({ status, stdout, output: stdout });

describe("the package files of a cache", () => {
  test("come with the latest first, however deep they lie, and nothing else does", async () => {
    const [first, second] = [mkdtempSync(`${folder}/a-`), mkdtempSync(`${folder}/b-`)];
    for (const path of [`${first}/deep/down`, `${second}/folder.rpm`]) mkdirSync(path, { recursive: true });
    // By the time at which they came here: the name and the date that a repository gave them say nothing.
    for (const path of [`${first}/deep/down/z.rpm`, `${second}/a.rpm`, `${first}/m.rpm`]) {
      writeFileSync(path, "");
      await pause(20);
    }
    writeFileSync(`${first}/notes.txt`, "");
    symlinkSync("/nowhere", `${first}/gone.rpm`);
    expect(packageFilesBelow([first, second, join(folder, "none")])).toEqual([
      `${first}/m.rpm`,
      `${second}/a.rpm`,
      `${first}/deep/down/z.rpm`,
    ]);
  });

  test("are so many that a whole distribution in the cache does not hold a pass up, and the one that came last is among them", async () => {
    const full = mkdtempSync(`${folder}/full-`);
    for (let at = 0; at < 80; at += 1) writeFileSync(join(full, `${at}.rpm`), "");
    await pause(20);
    writeFileSync(join(full, "fetched.rpm"), "");
    const found = packageFilesBelow([full]);
    expect(found).toHaveLength(50);
    expect(found[0]).toBe(join(full, "fetched.rpm"));
  });
});

describe("the header of a package file", () => {
  test("is what rpm reads in it, of this machine or of any", async () => {
    const printed = "svc-ent\t5\t15.4.6\t1\tnoarch\n";
    const header = { name: "svc-ent", version: "5:15.4.6-1", architecture: "noarch" };
    expect(await readHeader(said(printed), "/x.rpm")).toEqual(header);
    const foreign = said(printed.replace("noarch", "s390x"));
    expect(await readAnyHeader(foreign, "/x.rpm")).toEqual({ ...header, architecture: "s390x" });
    expect(await readHeader(foreign, "/x.rpm")).toBeUndefined();
  });

  test.each([
    ["rpm fails", said("svc-ent\t0\t15.4.6\t1\tnoarch\n", 1)],
    ["its version is none", said("svc-ent\t0\tnightly\t1\tnoarch\n")],
  ])("is none where %s", async (_title, ask) => {
    expect(await readAnyHeader(ask, "/x.rpm")).toBeUndefined();
  });
});
