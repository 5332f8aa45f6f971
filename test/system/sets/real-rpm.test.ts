import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { FileSet } from "../../../src/updater/package/manager/manager.ts";
import { installFiles } from "../../../src/updater/package/rpm/install-files.ts";
import { makeWay } from "../../../src/updater/package/rpm/make-way.ts";
import {
  agent,
  change,
  cut,
  fileOf,
  missingTools,
  rpmHost,
  timeout,
  type Built,
  type RpmHost,
} from "../../updater/package/rpm/on-host.ts";

const missing = missingTools();
if (missing !== undefined) console.warn(`SKIPPED: the tests with the real rpm: ${missing}`);

let host: RpmHost;
beforeEach(async () => void (missing === undefined && (host = await rpmHost())));
afterEach(async () => void (missing === undefined && (await host.remove())));

const companions = ["svc-ent-bin", "svc-ent-data"];

/** The agent and two packages, each locked to its version, and more of one of them. */
async function trio(version: string, more: Readonly<Record<string, Partial<Built>>> = {}): Promise<FileSet> {
  const tags = companions.map((name) => `Requires: ${name} = ${version}`).join("\n");
  const file = async (built: Built & { readonly name: string }): Promise<FileSet[0]> =>
    fileOf(built.name, `${version}-1`, await host.build(built));
  const itself = file({ name: agent, version, tags, ...more[agent] });
  return [await itself, ...(await Promise.all(companions.map((name) => file({ name, version, ...more[name] }))))];
}

async function installed(version: string, more?: Parameters<typeof trio>[1]): Promise<FileSet> {
  const files = await trio(version, more);
  await host.rpm("-U", "--oldpackage", ...files.map(({ path }) => path));
  return files;
}

const there = async (): Promise<readonly string[]> =>
  (await host.rpm("-q", agent, ...companions)).trim().replaceAll(".noarch", "").split("\n");

const all = (version: string): readonly string[] => [agent, ...companions].map((name) => `${name}-${version}-1`);

describe.skipIf(missing !== undefined)("a set that rpm installs", { timeout }, () => {
  test("goes up, down and to the very same, in one transaction", async () => {
    const old = await installed("15.4.5");
    const next = await trio("15.4.6");
    for (const [version, files] of [
      ["15.4.6", next],
      ["15.4.6", next],
      ["15.4.5", old],
      ["15.4.5", old],
    ] as const) {
      await installFiles(host.calls, change(`${version}-1`), files);
      expect(await there()).toEqual(all(version));
      expect(await host.rpm("-Va", "--nodeps")).toBe("");
    }
    expect(host.acted.filter((acted) => acted.startsWith("-U"))).toHaveLength(4);
  });

  test("leaves what a package of it takes the place of to another of them, and refuses what would be somebody else's", async () => {
    await installed("15.4.5");
    await host.rpm("-U", await host.build({ name: "bystander", version: "1" }));
    const kin = await trio("15.4.6", { "svc-ent-bin": { tags: "Obsoletes: svc-ent-data < 15.4.6" } });
    await installFiles(host.calls, change("15.4.6-1"), kin);
    expect(await there()).toEqual(all("15.4.6"));
    const greedy = await trio("15.4.7", { "svc-ent-data": { tags: "Obsoletes: bystander" } });
    await expect(installFiles(host.calls, change("15.4.7-1"), greedy)).rejects.toMatchObject({
      code: "plan-refused",
      message: "installing svc-ent 15.4.7-1 from its file would remove bystander",
    });
    expect(await there()).toEqual(all("15.4.6"));
  });

  test("is refused where one file is another package or damaged, with nothing changed", async () => {
    await installed("15.4.5");
    const [itself, bin, data] = await trio("15.4.6");
    const swapped: FileSet = [itself, { ...bin!, path: data!.path }, data!];
    await expect(installFiles(host.calls, change("15.4.6-1"), swapped)).rejects.toMatchObject({
      code: "file-failed",
      message: expect.stringContaining("is svc-ent-data 15.4.6-1, and not svc-ent-bin 15.4.6-1") as string,
    });
    await writeFile(bin!.path, "");
    await expect(installFiles(host.calls, change("15.4.6-1"), [itself, bin!, data!])).rejects.toMatchObject({
      code: "file-failed",
    });
    expect(await there()).toEqual(all("15.4.5"));
  });

  test("is refused where a member is not among the files", async () => {
    await installed("15.4.5");
    const [itself, bin] = await trio("15.4.6");
    await expect(installFiles(host.calls, change("15.4.6-1"), [itself, bin!])).rejects.toMatchObject({
      code: "plan-refused",
      message: expect.stringContaining("svc-ent-data = 15.4.6 is needed by svc-ent-15.4.6-1") as string,
    });
    expect(await there()).toEqual(all("15.4.5"));
  });

  test.each([
    { script: "post", in: "svc-ent-bin", at: all("15.4.6") },
    { script: "pre", in: "svc-ent-data", at: [`${agent}-15.4.6-1`, "svc-ent-bin-15.4.6-1", "svc-ent-data-15.4.5-1"] },
  ])("fails with the script of $in: $script", async ({ script, in: name, at }) => {
    await installed("15.4.5");
    const files = await trio("15.4.6", { [name]: { scripts: { [script]: 'error("it fails")' } } });
    await expect(installFiles(host.calls, change("15.4.6-1"), files)).rejects.toMatchObject({
      code: "install-failed",
      message: expect.stringMatching(new RegExp(`^a script of ${name} 15\\.4\\.6-1 failed: .*it fails`)) as string,
    });
    expect(await there()).toEqual(at);
  });

  test.each([
    { script: "pre", in: "svc-ent-data" },
    { script: "post", in: agent },
    { script: "posttrans", in: "svc-ent-bin" },
  ])("ends whole either way after a cut in the script of $in: $script", async ({ script, in: name }) => {
    for (const to of ["15.4.5", "15.4.6"]) {
      await host.rpm("-e", "--noscripts", "--allmatches", agent, ...companions);
      const once = { [script]: `if not io.open("/power") then ${cut} end` };
      const sets = { "15.4.5": await installed("15.4.5"), "15.4.6": await trio("15.4.6", { [name]: { scripts: once } }) };
      expect(await host.rpm("-U", ...sets["15.4.6"].map(({ path }) => path))).toBe("killed");
      await writeFile(join(host.root, "power"), "");
      await installFiles(host.calls, change(`${to}-1`), sets[to as keyof typeof sets]);
      expect([await there(), await host.rpm("-Va", "--nodeps")]).toEqual([all(to), ""]);
      for (const one of companions) expect(await readFile(join(host.root, `etc/${one}.conf`), "utf8")).toBe(`${to}\n`);
      await rm(join(host.root, "power"));
    }
  });

  test("takes a version of a companion along that refuses to go", async () => {
    await installed("15.4.5", { "svc-ent-bin": { scripts: { preun: 'error("I stay")' } } });
    await installFiles(host.calls, change("15.4.6-1"), await trio("15.4.6"));
    expect(await there()).toEqual(all("15.4.6"));
  });

  test("never takes kernels for one another", async () => {
    await host.rpm("-i", await host.build({ name: "kernel-core", version: "6.1" }));
    await host.rpm("-i", "--force", await host.build({ name: "kernel-core", version: "6.2" }));
    const before = await host.rpm("-q", "kernel-core");
    expect(before.split("\n")).toHaveLength(3);
    const [itself, ...others] = await trio("15.4.6");
    const kernel = fileOf("kernel-core", "6.3-1", await host.build({ name: "kernel-core", version: "6.3" }));
    await expect(installFiles(host.calls, change("15.4.6-1"), [itself, ...others, kernel])).rejects.toMatchObject({
      code: "plan-refused",
      message: expect.stringContaining("would remove other versions of kernel-core") as string,
    });
    await makeWay(host.calls, { name: "kernel-core", version: "6.3-1" });
    expect(await host.rpm("-q", "kernel-core")).toBe(before);
  });
});
