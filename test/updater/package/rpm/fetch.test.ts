import { copyFile, mkdir, mkdtemp, readdir, readFile, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Fault } from "../../../../src/rules/fault/fault.ts";
import type { WantedFile } from "../../../../src/updater/package/manager/manager.ts";
import { fetchFile, type FetchCalls, type Into } from "../../../../src/updater/package/rpm/fetch.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";
import { scratchFolder } from "../../../machine/files/scratch.ts";
import { agent, missingTools, rpmHost, timeout, type RpmHost } from "./on-host.ts";

const missing = missingTools();

let host: RpmHost;
let kept: string;
let cache: string;
let asked: Into[];

beforeEach(async () => {
  if (missing !== undefined) return;
  host = await rpmHost();
  [kept, cache] = [join(host.root, "kept"), join(host.root, "cache/svc-0123/packages")];
  for (const directory of [kept, cache]) await mkdir(directory, { recursive: true });
  asked = [];
});
afterEach(async () => void (missing === undefined && (await host.remove())));

const wanted = (version: string, is: WantedFile["is"] = "offered"): WantedFile => ({
  name: agent,
  version: version as PackageVersion,
  is,
});

/** A manager that puts there what it is given. */
function fetching(wantedFile: WantedFile, bring: (directory: string, into: Into) => Promise<unknown>): Promise<string> {
  const download = async (_: unknown, into: Into): Promise<readonly string[]> => {
    asked.push(into);
    await bring(into === "cache" ? cache : into.directory, into);
    return [into === "cache" ? join(host.root, "cache") : into.directory];
  };
  return fetchFile({ ...host.calls, root: host.root, download }, wantedFile, kept);
}

describe.skipIf(missing !== undefined)("the file of a package that is fetched", { timeout }, () => {
  test("is found by what it is, whatever its name and whatever lies beside it, and gets a name of ours", async () => {
    const file = await host.build({ version: "15.4.6", epoch: 5 });
    await copyFile(await host.build({ version: "15.4.6" }), join(cache, "svc-ent-15.4.6-1.noarch.rpm"));
    await copyFile(await host.build({ name: "libbar", version: "15.4.6" }), join(cache, "libbar.rpm"));
    await writeFile(join(cache, "readme.rpm"), "/etc/passwd\n");
    const name = await fetching(wanted("5:15.4.6-1"), (directory) => copyFile(file, join(directory, "agent of today.rpm")));
    expect([name, asked]).toEqual(["svc-ent-5_15.4.6-1.noarch.rpm", ["cache"]]);
    expect(await readdir(kept)).toEqual([name]);
    expect(await readFile(join(kept, name))).toEqual(await readFile(file));
    expect((await stat(join(kept, name))).mode & 0o7777).toBe(0o644);
  });

  test("comes into a directory of its own where the manager has none of it in its cache", async () => {
    const file = await host.build({ version: "15.4.6" });
    const name = await fetching(wanted("15.4.6-1"), async (directory, into) => {
      if (into !== "cache") await copyFile(file, join(directory, "a.rpm"));
    });
    expect([asked.length, await readdir(kept)]).toEqual([2, [name]]);
  });

  test("is taken from where it is whole, of several places", async () => {
    const file = await host.build({ version: "15.4.6" });
    const name = await fetching(wanted("15.4.6-1"), async (directory) => {
      await copyFile(file, join(directory, "b.rpm"));
      await copyFile(file, join(directory, "a.rpm"));
      await truncate(join(directory, "a.rpm"), (await stat(file)).size - 100);
      await utimes(join(directory, "a.rpm"), 1, 1);
    });
    expect(await readFile(join(kept, name))).toEqual(await readFile(file));
  });

  test.each([
    ["brings nothing", async () => undefined, "download-failed"],
    [
      "brings half of it",
      async (directory: string) => {
        await copyFile(await host.build({ version: "15.4.6" }), join(directory, "a.rpm"));
        await truncate(join(directory, "a.rpm"), 5000);
      },
      "download-failed",
    ],
    ["fails", () => Promise.reject(new Fault("manager-busy", { message: "busy", hint: "wait" })), "manager-busy"],
  ])("is none where the manager %s, and nothing is left behind", async (_title, bring, code) => {
    await expect(fetching(wanted("15.4.6-1"), bring)).rejects.toMatchObject({ code });
    expect(await readdir(kept)).toEqual([]);
    expect(asked.map((into) => (into === "cache" ? into : into.manner))).toEqual(
      ["cache", "aloud"].slice(0, code === "manager-busy" ? 1 : 2),
    );
  });
});

describe("the file of a package that a manager fetches", () => {
  const folder = scratchFolder();
  const headers: Readonly<Record<string, string>> = {
    "other.rpm": "libbar\t0\t15.4.6\t1\tnoarch\n",
    "older.rpm": "svc-ent\t0\t15.4.5\t1\tnoarch\n",
    "foreign.rpm": "svc-ent\t0\t15.4.6\t1\ts390x\n",
    "right.rpm": "svc-ent\t0\t15.4.6\t1\tnoarch\n",
  };

  let into: string;
  let fetched: Into[];
  beforeEach(async () => {
    into = await mkdtemp(join(folder, "kept-"));
    fetched = [];
  });
  async function take(
    names: readonly string[],
    file = wanted("15.4.6-1"),
    judged: "whole" | "spoilt" = "whole",
  ): Promise<unknown> {
    const from = await mkdtemp(join(folder, "cache-"));
    for (const name of names) await writeFile(join(from, name), name);
    const calls: FetchCalls = {
      root: folder,
      ask: async (args) => ({ status: 0, stdout: headers[basename(args.at(-1) ?? "")] ?? "", output: "" }),
      judge: async () => judged,
      download: async (_, to) => (fetched.push(to), [from]),
    };
    const came: unknown = await fetchFile(calls, file, into).catch((thrown: unknown) => thrown);
    return typeof came === "string" ? [came, await readFile(join(into, came), "utf8"), await readdir(into)] : came;
  }

  test("is the one that says so itself", async () => {
    const name = "svc-ent-15.4.6-1.noarch.rpm";
    await mkdir(join(into, ".fetching-killed"));
    expect(await take(Object.keys(headers))).toEqual([name, "right.rpm", [name]]);
    expect(await take(Object.keys(headers), wanted("15.4.6-1", "installed"))).toEqual([name, "right.rpm", [name]]);
    expect(fetched).toEqual(["cache", { directory: expect.stringContaining(into) as string, manner: "quietly" }]);
  });

  test.each([
    { title: "another package", names: ["other.rpm"] },
    { title: "another version", names: ["older.rpm"] },
    { title: "another machine's", names: ["foreign.rpm"] },
    { title: "no package", names: ["unknown.rpm"] },
    { title: "damaged", names: ["right.rpm"], judged: "spoilt" as const },
  ])("is none where what came is $title", async ({ names, judged }) => {
    expect(await take(names, wanted("15.4.6-1"), judged)).toMatchObject({
      code: "download-failed",
      message: "the file of svc-ent 15.4.6-1 was fetched, and is not where it should be, or not whole",
      hint: "empty the package manager's cache, and see what it fetches by hand",
    });
  });
});
