import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Change, Planned } from "../../../../src/updater/package/manager/manager.ts";
import type { InstalledRow } from "../../../../src/updater/package/rpm/installed.ts";
import { bring, type BringEffects } from "../../../../src/updater/package/yum/bring.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";
import { scratchFolder } from "../../../machine/files/scratch.ts";

const folder = scratchFolder();
const cache = join(folder, "cache");
const cached = (name: string): string => join(cache, "svc-0123456789abcdef/packages", name);
const elsewhere = join(cache, "mirror-0123456789abcdef/packages/another.rpm");
const local = join(folder, "a tree/libbar-1.0-1.x86_64.rpm");
for (const path of [cached("svc ent.rpm"), cached("libbar-1.0-1.x86_64.rpm"), local, elsewhere]) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "");
}

const wanted: Change = {
  name: "svc-ent" as PackageName,
  to: "15.4.6-1" as PackageVersion,
  direction: "up",
  hold: "none",
  beside: [],
};
const itself: Planned = { name: "svc-ent", version: "15.4.6-1", architecture: undefined };
const library: Planned = { name: "libbar", version: "1.0-1", architecture: "x86_64" };

const headers: Readonly<Record<string, string>> = {
  [cached("svc ent.rpm")]: "svc-ent\t0\t15.4.6\t1\tnoarch\n",
  [cached("libbar-1.0-1.x86_64.rpm")]: "libbar\t0\t1.0\t1\tx86_64\n",
  [local]: "evil\t0\t6.6\t6\tx86_64\n",
};

function effects(urls: readonly string[]): { readonly did: string[]; readonly effects: BringEffects } {
  const did: string[] = [];
  return {
    did,
    effects: {
      cache,
      rows: async (name) => [...(name === "libbar" ? [row("0.9")] : []), row("1.0")],
      download: async ({ name, version }, into) => {
        did.push(`download ${name} ${version} ${JSON.stringify(into)}`);
        return [cache];
      },
      ask: async (args) => {
        did.push(args.slice(-3).join(" "));
        return { status: 0, stdout: `${urls.join("\n")}\n`, output: "" };
      },
      askRpm: async (args) => {
        const stdout = headers[args.at(-1) ?? ""] ?? "";
        return { status: 0, stdout, output: stdout };
      },
    },
  };
}

function row(version: string): InstalledRow {
  return { epoch: "0", version, release: "1", architecture: "x86_64", instance: 1 };
}

describe("what dnf brings", () => {
  test("is downloaded, and looked at where each file lies", async () => {
    const { did, effects: whole } = effects(["http://a/packages/svc ent.rpm", "http://b/x/libbar-1.0-1.x86_64.rpm"]);
    await expect(bring(whole, wanted, [itself, library])).resolves.toBeUndefined();
    expect(did).toEqual(['download svc-ent 15.4.6-1 "cache"', "--location svc-ent-0:15.4.6-1 libbar-0:1.0-1.x86_64"]);
  });

  test("is downloaded by itself where a repair puts it in order", async () => {
    const { did, effects: whole } = effects(["http://a/packages/svc ent.rpm", "http://b/x/libbar-1.0-1.x86_64.rpm"]);
    const repair: Change = { ...wanted, direction: "same", beside: ["libbar", "libfoo"] as PackageName[] };
    await bring(whole, repair, [itself, library]);
    expect(did.slice(0, -1)).toEqual(['download svc-ent 15.4.6-1 "cache"', 'download libbar 1.0-1 "cache"']);
  });

  test("of a repository on the host itself lies there", async () => {
    const { effects: other } = effects(["http://a/packages/svc ent.rpm", `file://${local}`]);
    await expect(bring(other, wanted, [itself, library])).rejects.toMatchObject({
      code: "package-mislabelled",
      message: `nothing was installed: the repository offers libbar 1.0-1 (x86_64), and ${local} is evil 6.6-6 (x86_64)`,
    });
  });

  test("is not there where no list knows it, or nothing was ever fetched", async () => {
    const { effects: none } = effects([]);
    await expect(bring(none, wanted, [itself])).rejects.toThrow("offers svc-ent 15.4.6-1, and no file of it was fetched");
    const { effects: gone } = effects([`file://${local}.gone`]);
    await expect(bring(gone, wanted, [itself])).rejects.toThrow("offers svc-ent 15.4.6-1, and no file of it was fetched");
    const { effects: never } = effects(["http://a/packages/svc ent.rpm"]);
    await expect(bring({ ...never, cache: join(folder, "none") }, wanted, [itself])).rejects.toThrow("no file of it was fetched");
  });
});
