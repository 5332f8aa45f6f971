import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { configurationEnvironment, configurationWith } from "../../../../src/updater/package/zypper/configuration.ts";
import { isHeld, unheldFiles } from "../../../../src/updater/package/zypper/unheld.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";

const agent = "svc-ent" as PackageName;
const first = "[main]\ndownload.transfer_timeout = 30\n";
const last = "[main]\nlocksfile.path = /somewhere/locks\n";

let root: string;
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), "svc-upgrade-zypper-"))));
afterEach(() => rm(root, { recursive: true }));

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

describe("zypp's configuration for one call", () => {
  test("is all that holds on the host, in the order in which zypp reads it, our patience before, and the locks' place after that", async () => {
    await put("etc/zypp/zypp.conf.d/20-admin.conf", "fourth");
    await put("etc/zypp/zypp.conf.d/10-admin.conf", "third");
    await put("etc/zypp/zypp.conf.d/15-admin.conf", "between");
    await put("etc/zypp/zypp.conf.d/notes", "not read");
    await put("usr/etc/zypp/zypp.conf.d/90-vendor.conf", "second");
    await put("usr/etc/zypp/zypp.conf", "vendor");
    expect(configurationWith("/somewhere/locks", root)).toBe(`${first}\nvendor\nsecond\nthird\nbetween\nfourth\n${last}`);
    await put("etc/zypp/zypp.conf", "first");
    expect(configurationWith("/somewhere/locks", root)).toBe(`${first}\nfirst\nsecond\nthird\nbetween\nfourth\n${last}`);
  });
});

describe("a hold of zypper's", () => {
  test("is read from the root's own list, and there is none before the first", async () => {
    expect(isHeld(root, agent)).toBe(false);
    await put("etc/zypp/locks", "\ntype: package\nmatch_type: glob\nsolvable_name: svc-ent\n\n");
    expect(isHeld(root, agent)).toBe(true);
  });

  test("is left out of what one call is shown, and of nothing else", async () => {
    await put("etc/zypp/locks", "solvable_name: svc-ent\n\nsolvable_name: other\n");
    const files = unheldFiles(root, agent, "/somewhere");
    expect(files["locks"]).toBe("solvable_name: other\n");
    expect(files["zypp.conf"]?.endsWith(last)).toBe(true);
    expect(configurationEnvironment("/somewhere")).toEqual({ ZYPP_CONF: "/somewhere/zypp.conf" });
    expect(isHeld(root, agent)).toBe(true);
  });
});
