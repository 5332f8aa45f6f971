import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Architecture } from "../../packaging/project.ts";
import { server } from "../../packaging/products/server.ts";
import { updater } from "../../packaging/products/updater.ts";
import { buildRpm } from "../../packaging/rpm/build.ts";
import { rpmVersion, type SpecFacts } from "../../packaging/rpm/spec.ts";
import { packageScript } from "../../packaging/scripts.ts";

test.each([
  ["1.2.3", "1.2.3"],
  ["1.2.3-rc.1", "1.2.3~rc.1"],
  ["1.2.3-rc.1-a", "1.2.3~rc.1_a"],
])("version %s is %s to rpm", (version, expected) => {
  expect(rpmVersion(version)).toBe(expected);
});

const hasRpmbuild = spawnSync("rpmbuild", ["--version"]).error === undefined;
if (!hasRpmbuild) console.warn("SKIPPED: what rpmbuild makes of the spec file: rpmbuild is not installed");

describe.skipIf(!hasRpmbuild)("an .rpm", () => {
  let place = "";
  let facts: SpecFacts;
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), "svc-upgrade-rpm-"));
    // A program with symbols and a build id, which rpm's own steps would change and link to.
    copyFileSync("/bin/true", join(place, "program"));
    facts = {
      version: "1.2.3-rc.1",
      unixSeconds: 1_760_000_000,
      packing: "tight",
      files: [
        { to: "usr/bin/svc-upgrade", from: join(place, "program"), mode: 0o755 },
        { to: "usr/share/svc-upgrade/schemas/status.schema.json", text: "{}\n" },
        { to: "usr/lib/sysusers.d/svc-upgrade.conf", text: 'u svc-upgrade - "it decides" /\n' },
        { to: "usr/share/licenses/svc-ent-updater/LICENSE", text: "free\n" },
        { to: "etc/svc-upgrade", folder: "root's" },
        { to: "etc/svc-upgrade.d", folder: "agent's" },
        { to: "usr/bin/upgrade-svc", link: "svc-upgrade" },
      ],
    };
  });
  afterEach(() => rmSync(place, { recursive: true }));

  test.each([
    ["amd64", "x86_64"],
    ["arm64", "aarch64"],
  ] as const)("for %s is one for %s, on whatever machine it is built", (architecture, expected) => {
    expect(ask(build(architecture), "%{NAME} %{VERSION} %{RELEASE} %{ARCH}")).toBe(`svc-ent-updater 1.2.3~rc.1 1 ${expected}`);
  });

  test("has the same bytes whenever and by whomever it is built", () => {
    const first = readFileSync(build("amd64"));
    const umask = process.umask(0o077);
    const second = readFileSync(build("amd64", "another"));
    process.umask(umask);
    expect(second.equals(first)).toBe(true);
  });

  test("tells the commit's time, and nothing of the machine", () => {
    const file = build("amd64");
    expect(ask(file, "%{BUILDTIME} %{BUILDHOST} %{PAYLOADCOMPRESSOR}")).toBe("1760000000 reproducible xz");
    expect(ask(file, "%{CHANGELOGTIME:day} %{CHANGELOGNAME}")).toBe(
      "Thu Oct 09 2025 The svc-upgrade authors <svc-upgrade@packages.example.com> - 1.2.3~rc.1-1",
    );
    expect(readFileSync(file, "latin1")).not.toContain(place);
  });

  test("names its files with their rights and owners, and no link to a build id", () => {
    const sum = spawnSync("sha256sum", [join(place, "program")], { encoding: "utf8" }).stdout.split(" ")[0];
    const listed = ask(build("amd64"), "[%{FILENAMES} %{FILEMODES:perms} %{FILEUSERNAME} %{FILEFLAGS:fflags} %{FILEDIGESTS}\n]");
    expect(listed.split("\n")).toEqual([
      "/etc/svc-upgrade drwxr-xr-x root  ",
      // Of the package, and not in it: an upgrade would take it from the agent's user.
      "/etc/svc-upgrade.d drwxr-xr-x root g ",
      `/usr/bin/svc-upgrade -rwxr-xr-x root  ${sum}`,
      "/usr/bin/upgrade-svc lrwxrwxrwx root  ",
      // Not the folder: it is systemd's.
      expect.stringMatching(/^\/usr\/lib\/sysusers\.d\/svc-upgrade\.conf -rw-r--r-- root  /),
      "/usr/share/licenses drwxr-xr-x root  ",
      "/usr/share/licenses/svc-ent-updater drwxr-xr-x root  ",
      expect.stringMatching(/LICENSE -rw-r--r-- root l /),
      "/usr/share/svc-upgrade drwxr-xr-x root  ",
      "/usr/share/svc-upgrade/schemas drwxr-xr-x root  ",
      expect.stringMatching(/status\.schema\.json -rw-r--r-- root  /),
    ]);
  });

  test("requires the floors of its architecture, and no package of the agent", () => {
    const required = ask(build("arm64"), "[%{REQUIRENAME} %{REQUIREFLAGS:depflags} %{REQUIREVERSION}\n]").split("\n");
    const ours = new Set(required.map((line) => line.trim()).filter((line) => !line.startsWith("rpmlib(")));
    expect([...ours].toSorted()).toEqual([
      "/bin/sh",
      "coreutils",
      "libc.so.6(GLIBC_2.28)(64bit)",
      "libgcc_s.so.1()(64bit)",
      "libstdc++.so.6(GLIBCXX_3.4.21)(64bit)",
      "systemd >= 247",
    ]);
  });

  test("provides no user: its script makes that on every host, and rpm 4.19 would too", () => {
    const provided = ask(build("amd64"), "[%{PROVIDENAME}\n]").split("\n");
    expect(provided).toEqual(["svc-ent-updater", "svc-ent-updater(x86-64)"]);
  });

  test("carries its scripts as they are written, without a sign that rpm takes for its own", () => {
    const file = build("amd64");
    expect(ask(file, "%{POSTIN}")).toBe(packageScript(updater, "rpm", "post").trimEnd());
    expect(ask(file, "%{PREUN}")).toBe(packageScript(updater, "rpm", "preun").trimEnd());
    expect(ask(file, "%{POSTUN}")).toBe(packageScript(updater, "rpm", "postun").trimEnd());
  });

  test("of another product has its name, its words and its scripts, and the same floors", () => {
    const mine = build("amd64");
    facts = { ...facts, product: server };
    const file = build("amd64", "another");
    expect(ask(file, "%{NAME} %{SUMMARY}")).toBe("svc-proxy Serves a cluster's version channels and its ping");
    expect(ask(file, "%{DESCRIPTION}")).toBe(server.description.join("\n"));
    expect(ask(file, "%{POSTUN}")).toBe(packageScript(server, "rpm", "postun").trimEnd());
    expect(ask(file, "[%{REQUIRENAME}\n]")).toBe(ask(mine, "[%{REQUIRENAME}\n]"));
  });

  function build(architecture: Architecture, folder: string = architecture): string {
    return buildRpm(facts, architecture, join(place, folder));
  }
});

function ask(file: string, format: string): string {
  const { stdout, stderr } = spawnSync("rpm", ["--query", "--package", "--queryformat", format, file], { encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout.trimEnd();
}
