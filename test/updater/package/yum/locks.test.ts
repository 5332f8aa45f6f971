import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { holdsOf, isAdmitted, readLocks } from "../../../../src/updater/package/yum/locks.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";

const agent = "svc-ent" as PackageName;
const version = (text: string): PackageVersion => text as PackageVersion;

describe("a version lock", () => {
  test("holds the package: 0:svc-ent-15.4.5-1.*", () => {
    expect(holdsOf(["0:svc-ent-15.4.5-1.*"], agent)).toEqual(["0:svc-ent-15.4.5-1.*"]);
  });
});

describe("the list of version locks", () => {
  test.each<[title: string, entries: readonly string[], admitted: readonly string[]]>([
    ["admits none that it excludes", ["!svc-ent-0:15.4.6-2.*", "!svc-ent-16.*"], ["15.4.5-1", "15.4.6-1"]],
    ["admits what is within any of its limits", ["svc-ent-0:15.4.5-*", "svc-ent-16.*"], ["15.4.5-1", "16.0.0-1"]],
    ["admits none that it excludes by name", ["!svc-ent"], []],
    [
      "admits what a hold keeps out, since that is lifted or nothing is looked for",
      ["svc-ent-0:15.4.5-1.*"],
      ["15.4.5-1", "15.4.6-1", "15.4.6-2", "16.0.0-1"],
    ],
    [
      "says nothing of others' packages",
      ["!other-*", "svc-ent-updater-15.*", "xsvc-ent-16.*"],
      ["15.4.5-1", "15.4.6-1", "15.4.6-2", "16.0.0-1"],
    ],
  ])("%s", (_title, entries, admitted) => {
    const offered = ["15.4.5-1", "15.4.6-1", "15.4.6-2", "16.0.0-1"];
    expect(offered.filter((text) => isAdmitted(entries, agent, version(text)))).toEqual(admitted);
  });
});

describe("where the list lies", () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "svc-upgrade-locks-"));
    mkdirSync(join(root, "etc/dnf/plugins"), { recursive: true });
    writeFileSync(join(root, "etc/dnf/plugins/my.list"), "\n# Added lock on Sat\n svc-ent-0:15.4.5-1.* \n \n!other-0:1-1.*\n");
  });
  afterEach(() => rmSync(root, { recursive: true }));

  test.each([
    { enabled: "", entries: ["svc-ent-0:15.4.5-1.*", "!other-0:1-1.*"] },
    { enabled: "enabled = 0", entries: [] },
    { enabled: "enabled=False", entries: [] },
  ])("the plugin's file says, with $enabled", ({ enabled, entries }) => {
    writeFileSync(join(root, "etc/dnf/plugins/versionlock.conf"), `[main]\n${enabled}\nlocklist = /etc/dnf/plugins/my.list\n`);
    expect(readLocks(root)).toEqual(entries);
  });
});
