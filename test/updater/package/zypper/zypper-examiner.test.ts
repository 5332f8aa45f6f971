import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CommandResult, RunCommand } from "../../../../src/machine/processes/command.ts";
import { zypperExaminer } from "../../../../src/updater/package/zypper/zypper-examiner.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";
import { saved } from "../saved.ts";
import { agent, change } from "./calls.ts";

let root: string;
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), "svc-upgrade-zypper-"))));
afterEach(() => rm(root, { recursive: true }));

async function put(path: string, text: string = ""): Promise<string> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
  return join(root, path);
}

/** rpm says how large the package is, and zypper what it would do. */
const run: RunCommand = ({ argv }) => {
  const stdout = argv[0] === "rpm" ? "695296\n" : saved("zypper/simulate-bystander.txt");
  return Promise.resolve<CommandResult>({ kind: "exited", status: 0, stdout, stderr: "" });
};

const examiner = (): ReturnType<typeof zypperExaminer> => zypperExaminer({ run, root, isActive: () => Promise.resolve(false) });

describe("zypper, examined", () => {
  test("is locked by the process that its file names, while that lives", async () => {
    expect(examiner().lockHolder()).toBeUndefined();
    await put("run/zypp.pid", `${process.pid}\n`);
    expect(examiner().lockHolder()).toMatchObject({ pid: process.pid });
    await put("run/zypp.pid", "4194305\n");
    expect(examiner().lockHolder()).toBeUndefined();
    await put("run/zypp.pid", "");
    expect(examiner().lockHolder()).toBeUndefined();
  });

  test("has asked for its lists when it last dated one of them", async () => {
    expect(examiner().listsAskedAt()).toBeUndefined();
    await mkdir(join(root, "var/cache/zypp/raw/empty"), { recursive: true });
    expect(examiner().listsAskedAt()).toBeUndefined();
    for (const [alias, at] of [
      ["old", 1_700_000_000],
      ["new", 1_800_000_000],
    ] as const) {
      await utimes(await put(`var/cache/zypp/raw/${alias}/repodata/repomd.xml`), at, at);
    }
    expect(examiner().listsAskedAt()).toBe(1_800_000_000);
  });

  test("has a package that lies in the folders of any repository", async () => {
    const version = "5:15.4.6-1" as PackageVersion;
    expect(examiner().isCached(agent, version)).toBe(false);
    await put("var/cache/zypp/packages/svc/x86_64/svc-ent-15.4.6-10.x86_64.rpm");
    expect(examiner().isCached(agent, version)).toBe(false);
    await put("var/cache/zypp/packages/svc/x86_64/svc-ent-15.4.6-1.x86_64.rpm");
    expect(examiner().isCached(agent, version)).toBe(true);
  });

  test("needs room for downloads, for files beside the old ones, and for its databases", async () => {
    const needs = await examiner().needs(agent, change("16.1.0-1"));
    expect(needs).toEqual([
      { path: "/var/tmp", bytes: 25_805 },
      { path: `${root}/var/cache/zypp`, bytes: 25_805 },
      { path: `${root}/usr`, bytes: 695_296 + 24 },
      { path: `${root}/var/lib`, bytes: 33_554_432 },
    ]);
    const asInstalled = await examiner().needs(agent, undefined);
    expect(asInstalled.map(({ bytes }) => bytes)).toEqual([695_296, 695_296, 695_296, 33_554_432]);
  });

  test.each([["os-update"]])("has a rival in %s, while its timer is on", async (program) => {
    const isActive = (unit: string): Promise<boolean> => Promise.resolve(unit === `${program}.timer`);
    const [rival, ...others] = await zypperExaminer({ run, root: "/", isActive }).rivals(agent);
    expect(others).toEqual([]);
    expect(rival?.told).toContain(`${program} moves svc-ent too`);
    expect(rival?.fix).toContain("sudo zypper addlock svc-ent && ");
    expect(await examiner().rivals(agent)).toEqual([]);
  });
});
