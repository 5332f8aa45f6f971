import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parsePackageVersion, wrappedVersion } from "../../src/rules/version/wrapped.ts";

const script = join(import.meta.dirname, "../../packaging/install.sh");
const text = readFileSync(script, "utf8");

test("a download that broke off does nothing, wherever it broke off", () => {
  const lines = text.trimEnd().split("\n");
  expect(lines.at(-1)).toBe('main "$@"');
  // Without words, what runs by mistake says so and ends, unlike the shell's own complaints. One shell starts the others, because this process is a large one to fork.
  const each = `kept=0; while [ $((kept += 1)) -lt ${lines.length} ]; do head -n "$kept" "$0" | sh -s 2>&1 | grep -v "^sh: " && echo "$kept"; done; :`;
  expect(spawnSync("sh", ["-c", each, script], { encoding: "utf8" })).toMatchObject({ status: 0, stdout: "", stderr: "" });
});

type Refusal = readonly [words: readonly string[], said: string];

const refusals: readonly Refusal[] = [
  [[], "the version is missing"],
  [["v15.4.6", "cloud"], 'the version is "v15.4.6": give it without the leading v, 15.4.6'],
  [["15.4", "cloud"], 'the version is "15.4", and must be like 15.4.6'],
  [["15.04.6", "cloud"], "must be like 15.4.6"],
  [["15.4.6;reboot", "cloud"], "must be like 15.4.6"],
  [["15.4.6\n15.4.7", "cloud"], "must be like 15.4.6"],
  [["latest", "cloud"], "must be like 15.4.6"],
  [["15.4.6"], "the edition is missing"],
  [["15.4.6", "oss"], 'the edition is "oss", and must be cloud or enterprise'],
  [["15.4.6", "cloud", "now"], '"now" is one word too many'],
  [["15.4.6", "cloud", "--force"], "there is no option --force"],
  [["15.4.6", "cloud", "--channel"], "--channel needs a value"],
  [["15.4.6", "cloud", "--manager", "dnf5"], 'the manager is "dnf5", and must be apt, yum or zypper'],
  [["15.4.6", "cloud", "--key", "/key"], "give --repository URL too"],
  [["15.4.6", "cloud", "--repository", "https://packages.example.com"], "--repository needs --key"],
  [["15.4.6", "cloud", "--repository=ftp://packages.example.com", "--key=/key"], "must begin with https://"],
  [["15.4.6", "cloud", "--repository=https://me:secret@packages.example.com", "--key=/key"], "has a user in its URL"],
  [["15.4.6", "cloud", "--repository=https://packages.example.com/\ngpgcheck=0", "--key=/key"], "not a URL's"],
  [["15.4.6", "cloud", "--repository=https://packages.example.com/{release}", "--key=/key"], "not a URL's"],
  [["15.4.6", "cloud", "--repository=https://packages.example.com", "--key=http://packages.example.com/key"], "by https"],
  [["15.4.6", "cloud", "--repository=https://packages.example.com", "--key=/proc/nowhere/key"], "there is no key file"],
];

test.each(refusals)("%j is refused with 64 and one sentence", (words, said) => {
  const { status, stdout, stderr } = spawnSync("sh", [script, ...words], { encoding: "utf8" });
  expect([status, stdout]).toEqual([64, ""]);
  expectOneSentence(stderr.replace("\n15.4.7", ""), said);
  expect(stderr).not.toContain("secret");
});

test("a repository and its key may come from the environment, and the options win", () => {
  const env = {
    PATH: process.env["PATH"],
    SVC_REPOSITORY: "https://packages.example.com",
    SVC_REPOSITORY_KEY: "/proc/nowhere/key",
  };
  const run = (...words: readonly string[]): string =>
    spawnSync("sh", [script, "15.4.6", "cloud", ...words], { encoding: "utf8", env }).stderr;
  expect(run()).toContain("there is no key file /proc/nowhere/key");
  expect(run("--key", "/elsewhere/key")).toContain("there is no key file /elsewhere/key");
});

describe("on a host whose programs say what a test wants", () => {
  let place = "";
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), "svc-upgrade-install-"));
    // All that is asked before a package manager is chosen.
    for (const tool of ["sed", "grep", "cat", "tr"]) symlinkSync(which(tool), join(place, tool));
    says({ uname: "case $1 in -s) echo Linux ;; -m) echo x86_64 ;; esac", id: "echo 0" });
    says({ systemctl: "echo 'systemd 252 (252.38-1)'", getconf: "echo 'glibc 2.36'" });
  });
  afterEach(() => rmSync(place, { recursive: true }));

  test.each([
    [{ uname: "echo FreeBSD" }, 78, "this is FreeBSD, and the agent is updated on Linux alone"],
    [{ uname: "case $1 in -s) echo Linux ;; -m) echo riscv64 ;; esac" }, 78, "this host is riscv64"],
    [{ id: "echo 1000" }, 77, "needs root"],
    [{ systemctl: "echo 'systemd 246 (246.6-1)'" }, 78, "needs systemd 247 or newer, and this host has 246"],
    [{ systemctl: "exit 1" }, 78, "needs systemd 247 or newer, and this host has none"],
    [{ getconf: "echo 'glibc 2.27'" }, 78, "needs glibc 2.28 or newer, and this host has 2.27"],
    [{ getconf: "echo 'glibc 2.9'" }, 78, "needs glibc 2.28 or newer, and this host has 2.9"],
    [{ getconf: "exit 1" }, 78, "needs glibc 2.28 or newer, and this host has none"],
    [{}, 78, "this host has none of apt, yum and zypper"],
    [{ getconf: "echo 'glibc 2.28'", systemctl: "echo 'systemd 247'" }, 78, "this host has none of apt, yum and zypper"],
    [{ getconf: "echo 'glibc 3.0'" }, 78, "this host has none of apt, yum and zypper"],
  ] as const)("%j ends with %i: %s", (programs, status, said) => {
    says(programs);
    const ended = install();
    expect(ended.status).toBe(status);
    expectOneSentence(ended.stderr, said);
  });

  test.each([
    ["two that know the same database", { dnf: "", rpm: "", zypper: "" }, "more than one package manager (yum zypper)"],
    ["one that was asked for and is not there", { dnf: "", rpm: "" }, "this host has no apt", "--manager=apt"],
    ["a program without its database", { dnf: "" }, "this host has none of apt, yum and zypper"],
  ] as const)("a host with %s is refused", (_title, programs, said, ...words: readonly string[]) => {
    says(programs);
    const ended = install(...words);
    expect(ended.status).toBe(78);
    expectOneSentence(ended.stderr, said);
  });

  test.each([
    ["rpm beside its own dpkg", "exit 0", "apt"],
    ["dpkg beside its own rpm", "exit 1", "yum"],
  ])("a host with %s is managed by what manages its systemd", (_title, dpkgQuery, expected) => {
    says({ "apt-get": "", "dpkg-query": dpkgQuery, dnf: "", rpm: "" });
    const asks = `${functions}\nfind_manager\necho "$manager"`;
    expect(spawnSync(which("sh"), ["-c", asks], { encoding: "utf8", env: { PATH: place } }).stdout).toBe(`${expected}\n`);
  });

  function says(programs: Readonly<Record<string, string>>): void {
    for (const [name, body] of Object.entries(programs))
      writeFileSync(join(place, name), `#!${which("sh")}\n${body}\n`, { mode: 0o755 });
  }

  function install(...words: readonly string[]): { readonly status: number | null; readonly stderr: string } {
    const argv = [script, "15.4.6", "enterprise", ...words];
    const { status, stdout, stderr } = spawnSync(which("sh"), argv, { encoding: "utf8", env: { PATH: place } });
    expect(stdout).toBe("");
    return { status, stderr };
  }
});

const functions = text.replace(/main "\$@"\n$/, "");

const wrappings = [
  ["15.4.6", "15.4.6"],
  ["15.4.6", "15.4.6-1"],
  ["15.4.6", "5:15.4.6-1~deb12u1"],
  ["15.4.6", "15.4.6-1.el9"],
  ["15.4.6", "15.4.6-lp155.2.1"],
  ["15.4.6", "15.4.6-150400.1.1"],
  ["15.4.6", "15.4.60-1"],
  ["15.4.6", "15.4.60"],
  ["15.4.6", "115.4.6"],
  ["15.4.6", "15.4.6~rc.1-1"],
  ["15.4.6", "15.4.6-rc.1"],
  ["15.4.6", "15.4.6-0.rc.1.el9"],
  ["15.4.6", "15.4.6-1.arch"],
  ["15.4.6", "15.4.6-1-1"],
  ["15.4.6", "15.4.6+build-1"],
  ["15.4.5", "15.4.6+really15.4.5-1"],
  ["15.4.6", "15.4.6+really15.4.5-1"],
  ["15.4.6-rc.1", "15.4.6~rc.1-1"],
  ["15.4.6-rc.1", "15.4.6_rc.1-1"],
  ["15.4.6-rc.1", "15.4.6-rc.1-1"],
  ["15.4.6-rc.1", "15.4.6-rc.1"],
  ["15.4.6-rc.1", "15.4.6~rc.10-1"],
  ["15.4.6-rc.1", "15.4.6-1"],
  ["15.4.6-rc.1", "15.4.6~rc.1-1.el9"],
] as const;

test("the script takes the same package versions for a version as svc-upgrade does", () => {
  const calls = wrappings.map(([version, found]) => `version='${version}'; if wraps '${found}'; then echo yes; else echo no; fi`);
  const { stdout, stderr } = spawnSync("sh", ["-c", `${functions}\n${calls.join("\n")}`], { encoding: "utf8" });
  expect(stderr).toBe("");
  const told = stdout.trimEnd().split("\n");
  expect(wrappings.map((row, index) => [...row, told[index]])).toEqual(
    wrappings.map(([version, found]) => [version, found, wrappedVersion(parsePackageVersion(found)!) === version ? "yes" : "no"]),
  );
});

test.each([
  [{ HTTPS_PROXY: "http://proxy:3128" }, "http_proxy= https_proxy=http://proxy:3128 HTTPS_PROXY=http://proxy:3128 no_proxy="],
  [{ https_proxy: "proxy:3128" }, "http_proxy= https_proxy=http://proxy:3128 HTTPS_PROXY=http://proxy:3128 no_proxy="],
  [
    { HTTP_PROXY: "upper:1", http_proxy: "lower:1", NO_PROXY: "a.test, b.test" },
    "http_proxy=http://upper:1 https_proxy= HTTPS_PROXY= no_proxy=a.test, b.test",
  ],
  [{ HTTP_PROXY: "http://u:p$(reboot)`x`'@h:1" }, "http_proxy=http://u:p$(reboot)`x`'@h:1 https_proxy= HTTPS_PROXY= no_proxy="],
])("every program of the script sees the proxies of %j", (variables, expected) => {
  const tells = 'printf "%s" "http_proxy=$http_proxy https_proxy=$https_proxy HTTPS_PROXY=$HTTPS_PROXY no_proxy=$no_proxy"';
  const asks = `${functions}\nset +u\nshare_proxies\nsh -c '${tells}'`;
  const env = { PATH: process.env["PATH"], ...variables };
  expect(spawnSync("sh", ["-c", asks], { encoding: "utf8", env }).stdout).toBe(expected);
});

function expectOneSentence(stderr: string, said: string): void {
  expect(stderr).toContain(said);
  expect(stderr.split("\n")).toEqual([expect.stringMatching(/^install\.sh: /), ""]);
}

function which(program: string): string {
  return spawnSync("sh", ["-c", 'command -v "$1"', "which", program], { encoding: "utf8" }).stdout.trim();
}
