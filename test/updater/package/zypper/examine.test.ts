import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { needs, sizesIn, movesPackages, rivals } from "../../../../src/updater/package/zypper/zypper-examiner.ts";
import { rpmThatSays } from "../rpm/says.ts";
import { saved, savedEnded } from "../saved.ts";
import { agent, change } from "./calls.ts";

let root: string;
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), "svc-upgrade-zypper-"))));
afterEach(() => rm(root, { recursive: true }));

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

describe("the room that a change by zypper takes", () => {
  const asking = (answer: string): Parameters<typeof needs>[0] => ({
    run: rpmThatSays("695296\n").run,
    root,
    ask: async (args) => savedEnded(`zypper/${args.includes("svc-ent=16.1.0-1") ? answer : "not-root"}`, 0),
    fetched: () => ["svc"],
  });
  const room = async (answer: string, to?: string): Promise<readonly (readonly [string, number])[]> =>
    (await needs(asking(answer), agent, to === undefined ? undefined : change(to))).map(({ path, bytes }) => [path, bytes]);

  test("is what zypper says of its plan, with a place for downloads on their way and what is installed already", async () => {
    expect(await room("simulate-bystander", "16.1.0-1")).toEqual([
      ["/var/tmp", 25_805],
      [`${root}/var/cache/zypp`, 25_805],
      [`${root}/usr`, 695_296 + 24],
      [`${root}/var/lib`, 33_554_432],
    ]);
  });

  test.each([undefined, "16.1.0-1"])("is as much as the installed version where no plan is known (to %s)", async (to) => {
    expect((await room("not-root", to)).map(([, bytes]) => bytes)).toEqual([695_296, 695_296, 695_296, 33_554_432]);
  });

  test.each([
    { file: "simulate-obsoletes", sizes: { download: 6452, more: 0 } },
    { file: "simulate-older-without-flag", sizes: undefined },
  ])("says in $file how much that is", ({ file, sizes }) => {
    expect(sizesIn(saved(`zypper/${file}.txt`))).toEqual(sizes);
  });
});

describe("zypper's rivals", () => {
  test.each([
    { configuration: "", moves: true },
    { configuration: "UPDATE_CMD=auto\n", moves: true },
    { configuration: '# UPDATE_CMD="security"\nUPDATE_CMD="up"\n', moves: true },
    { configuration: 'UPDATE_CMD="security"\n', moves: false },
    { configuration: "UPDATE_CMD=security\n", moves: false },
  ])("has a rival in os-update with $configuration: $moves", ({ configuration, moves }) => {
    expect(movesPackages(configuration)).toBe(moves);
  });

  const active =
    (...units: readonly string[]) =>
    (unit: string): Promise<boolean> =>
      Promise.resolve(units.includes(unit));
  const names = async (...units: readonly string[]): Promise<readonly string[]> =>
    (await rivals(agent, active(...units), root)).map(({ told }) => told.split(" ")[0] ?? "");

  test("are those whose timers run, unless a lock keeps them off", async () => {
    expect(await names()).toEqual([]);
    expect(await names("transactional-update.timer")).toEqual(["transactional-update"]);
    expect(await names("transactional-update.timer", "os-update.timer")).toEqual(["transactional-update", "os-update"]);
    await put("etc/zypp/locks", "solvable_name: svc-ent\n");
    expect(await names("transactional-update.timer", "os-update.timer")).toEqual([]);
  });

  test("are no rivals where they see to security alone, by the admin's word before the distribution's", async () => {
    await put("usr/etc/os-update.conf", "UPDATE_CMD=security\n");
    expect(await names("os-update.timer")).toEqual([]);
    await put("etc/os-update.conf", "UPDATE_CMD=up\n");
    expect(await names("os-update.timer")).toEqual(["os-update"]);
  });
});
