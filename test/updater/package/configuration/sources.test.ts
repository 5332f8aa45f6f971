import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sourcesIn } from "../../../../src/updater/package/apt/working-half.ts";
import { tellSources } from "../../../../src/updater/package/configuration/sources.ts";
import { readSources } from "../../../../src/updater/package/yum/repository-files.ts";
import { sourcesBelow } from "../../../../src/updater/package/zypper/repositories.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "svc-upgrade-sources-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(`${root}${path}`), { recursive: true });
  writeFileSync(`${root}${path}`, text);
}

const repository = (name: string, rest: string): string => `[${name}]\nname=${name}\n${rest}\n`;
const two =
  repository("agent", "baseurl=http://repo.example.com/rpm") + repository("old", "enabled=0\nbaseurl=http://old.example.com");

test("apt's are those of the rows of its indexes", () => {
  const rows = [
    "/etc/apt/sources.list:1\thttp://deb.example.com/debian bookworm/main amd64 Packages",
    "/etc/apt/sources.list.d/agent.sources:2\thttps://repo.example.com/deb ./ Packages",
    "",
  ];
  expect(sourcesIn(rows.join("\n"))).toEqual([
    { file: "/etc/apt/sources.list", url: "http://deb.example.com/debian" },
    { file: "/etc/apt/sources.list.d/agent.sources", url: "https://repo.example.com/deb" },
  ]);
});

test("dnf's are those of its files that are enabled, with what stands first in them", () => {
  write("/etc/yum.repos.d/agent.repo", two);
  write("/etc/yum.repos.d/base.repo", repository("base", "metalink=https://mirrors.example.com/list"));
  expect(readSources(root)).toEqual([
    { file: "/etc/yum.repos.d/agent.repo", url: "http://repo.example.com/rpm" },
    { file: "/etc/yum.repos.d/base.repo", url: "https://mirrors.example.com/list" },
  ]);
});

test("zypper's as well", () => {
  write("/etc/zypp/repos.d/agent.repo", two);
  expect(sourcesBelow(root)).toEqual([{ file: "/etc/zypp/repos.d/agent.repo", url: "http://repo.example.com/rpm" }]);
});

describe("for a sentence they are", () => {
  test.each([
    [[], "no repository is enabled here"],
    [[{ file: "/a.list", url: undefined }], "asked were /a.list"],
    [[{ file: "/a.list", url: "http://fleet:secret@repo.example.com/deb" }], "asked were /a.list (http://repo.example.com/deb)"],
    [
      ["a", "b", "c", "c", "d"].map((name) => ({ file: `/${name}`, url: "http://x" })),
      "asked were /a (http://x), /b (http://x) and 2 more",
    ],
  ])("%j", (sources, told) => {
    expect(tellSources(sources)).toBe(told);
  });
});
