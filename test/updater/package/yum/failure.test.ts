import { describe, expect, test } from "vitest";
import type { FaultCode } from "../../../../src/rules/fault/table.ts";
import { answerTo, failedScript, holderIn, refreshTrouble, yumFault } from "../../../../src/updater/package/yum/failure.ts";
import { withScripts } from "../../../../src/updater/package/rpm/scripts.ts";
import { scriptWords } from "../../../../src/updater/package/yum/act.ts";
import { saved, savedEnded } from "../saved.ts";

const call = { program: "dnf", command: "install svc-ent-0:15.4.6-1" };
const outputOf = (name: string): string => savedEnded(`yum/${name}`, 1).output;

describe("what a failing dnf means", () => {
  test.each<{ name: string; code: FaultCode; says: string }>([
    { name: "not-root", code: "not-permitted", says: "superuser privileges" },
    { name: "lock-exit", code: "manager-busy", says: "already locked by" },
    { name: "lock-rpm-held", code: "manager-busy", says: "can't create transaction lock on" },
    { name: "install-missing", code: "not-offered", says: "Unable to find a match" },
    { name: "reinstall-other-version", code: "not-offered", says: "svc-ent" },
    { name: "simulate-unmet", code: "plan-refused", says: "requires svc-ent < 15.5" },
    { name: "excluded-install", code: "plan-refused", says: "filtered out by exclude filtering" },
    { name: "install-no-space", code: "no-space", says: "No space left on device" },
    { name: "install-no-space-unpack", code: "no-space", says: "more space needed on the / filesystem" },
    { name: "download-no-space", code: "no-space", says: "Curl error (23)" },
    { name: "download-installed-not-offered", code: "not-offered", says: "No packages marked for reinstall" },
    { name: "install-altered", code: "download-failed", says: "svc-ent" },
    { name: "install-unsigned", code: "package-untrusted", says: "is not signed" },
    { name: "install-unknown-key", code: "package-untrusted", says: "GPG check FAILED" },
    { name: "install-first-script-killed", code: "interrupted", says: "%prein(svc-ent-2.0-1.x86_64) scriptlet failed, signal 9" },
    { name: "install-failing-pre", code: "install-failed", says: "scriptlet failed, exit status 1" },
  ])("$name is $code", ({ name, code, says }) => {
    const fault = yumFault(outputOf(name), call);
    expect(fault.message).toContain(says);
    expect(fault.code).toBe(code);
    expect(fault.hint).not.toBe("");
  });

  test.each<[output: string, code: FaultCode]>([
    ["error: cannot open Packages database in /var/lib/rpm\nError: Error: rpmdb open failed\n", "database-broken"],
    ["Error: Rpmdb checksum is invalid: dCDPT(pkg checksums): svc-ent.x86_64\n", "database-broken"],
    ["[Errno 30] Read-only file system: '/var/cache/dnf/svc.solv'\n", "read-only"],
    ["  file /etc/x from install of a-1-1.noarch conflicts with file from package b-1-1.noarch\n", "plan-refused"],
    ["  file /etc/x conflicts between attempted installs of a-1-1.noarch and b-1-1.noarch\n", "plan-refused"],
  ])("%s is %s", (output, code) => {
    expect(yumFault(output, call).code).toBe(code);
  });

  test.each<[name: string, hint: string]>([
    ["not-root", "run this as root"],
    ["lock-exit", "wait for it to end; the next pass tries again"],
    ["excluded-install", "see what excludes it: `dnf versionlock list`, and excludepkgs= in /etc/dnf/dnf.conf"],
    ["install-missing", "see what the repositories offer with `dnf list --showduplicates`"],
    [
      "install-no-space",
      "free some space: `sudo dnf clean packages`; `df -h /usr /var` shows how much is left, `df -i /usr /var` how many files",
    ],
    ["install-unsigned", "look at the key that signs the repository's packages; if it is the right one, `rpm --import` it"],
    ["dead-install", "try the repository by hand with `dnf makecache`"],
    ["simulate-unmet", "see what stands in the way with `dnf --assumeno install svc-ent-0:15.4.6-1`"],
  ])("%s says what to do next", (name, hint) => {
    expect(yumFault(outputOf(name), call).hint).toBe(hint);
  });

  test.each([
    ["error: cannot open Packages database in /var/lib/rpm\n", "type `sudo rpm --rebuilddb`"],
    [
      "  file /x from install of a conflicts with file from package b\n",
      "see what stands in the way with `dnf install svc-ent-0:15.4.6-1`",
    ],
  ])("so does %s", (output, command) => {
    expect(yumFault(output, call).hint).toContain(command);
  });

  test("a line is told up to where it says nothing more, and of many only four", () => {
    const lines = ["a", "b", "c", "d", "e"].map((name) => ` - nothing provides ${name} needed by svc-ent`);
    expect(yumFault(lines.join("\n"), call).message.split("; ")).toHaveLength(4);
    expect(yumFault(lines.join("\n"), call).message).toMatch(/failed: nothing provides a /);
    expect(yumFault("Error: ".padEnd(400, "x"), call).message).toMatch(/: .{200}…$/);
  });
});

describe("a failing package script", () => {
  test("is found in a call that ended as a success", () => {
    expect(failedScript(outputOf("install-failing-post"))).toBe(
      "warning: %post(svc-ent-15.6.0-1.x86_64) scriptlet failed, exit status 1",
    );
    expect(failedScript("Error in POSTIN scriptlet in rpm package svc-ent\n")).toContain("POSTIN");
  });

  test("is told with its own last word, which a quiet dnf keeps to its log", () => {
    const quiet = (which: "post" | "pre"): string =>
      withScripts(savedEnded(`yum/install-failing-${which}-quiet`, 1), scriptWords(saved(`yum/script-log-${which}.txt`))).output;
    expect(failedScript(quiet("post"))).toBe(
      "svc-ent: the postinst fails; warning: %post(svc-ent-15.6.0-1.x86_64) scriptlet failed, exit status 1",
    );
    expect(yumFault(quiet("pre"), call)).toMatchObject({
      code: "install-failed",
      message:
        "dnf install svc-ent-0:15.4.6-1 failed: svc-ent: the preinst fails; error: %prein(svc-ent-15.7.0-1.x86_64) scriptlet failed, exit status 1",
    });
    // Without the log there is still what dnf says itself.
    expect(failedScript(outputOf("install-failing-post-quiet"))).toBe("Error in POSTIN scriptlet in rpm package svc-ent");
    expect(yumFault(outputOf("install-failing-pre-quiet"), call).message).toContain("Error in PREIN scriptlet");
  });

  test("is the first that failed, with what it printed last itself", () => {
    const end = (name: string): string => `warning: %post(${name}-1-1.noarch) scriptlet failed, exit status 1`;
    const failed = "Error in POSTIN scriptlet in rpm package one\n";
    const withWords = (...words: readonly string[]): string | undefined =>
      failedScript(withScripts({ status: 0, stdout: "", output: failed }, words).output);
    expect(withWords("first", "last", end("one"), "between", end("two"), "after")).toBe(`last; ${end("one")}`);
    expect(withWords(end("one"), end("two"))).toBe(end("one"));
    expect(withWords("only words")).toBe(failed.trim());
    expect(failedScript(`${end("one")}\n${end("two")}\n${failed}`)).toBe(end("one"));
    expect(failedScript(`${failed}${failed.replace("one", "two")}`)).toBe(failed.trim());
    expect(failedScript(failed.replace("one", "x".repeat(400)))).toMatch(/^.{200}…$/);
  });

  test.each(["install-up-quiet", "downgrade"])("is not found in %s", (name) => {
    expect(failedScript(outputOf(name))).toBeUndefined();
  });
});

describe("who keeps the lock", () => {
  test.each(["lock-exit", "lock-planted-download-exit"])("is named by dnf: %s", (name) => {
    const holder = holderIn(outputOf(name));
    expect(holder?.pid).toBeGreaterThan(0);
    expect(outputOf(name)).toContain(`PID ${holder?.pid} is: ${holder?.program}\n`);
  });

  test("is nobody where dnf does not say", () => {
    expect(holderIn(outputOf("lock-rpm-held"))).toBeUndefined();
  });
});

describe("what a refresh says", () => {
  test.each(["dead-refresh-skipped", "refresh-signature-missing"])("%s tells of lists that could not be fetched", (name) => {
    expect(refreshTrouble(outputOf(name))).toMatch(/^Error: Failed to download metadata for repo/);
  });

  test.each(["makecache-refresh", "makecache-again"])("%s is no trouble", (name) => {
    expect(refreshTrouble(outputOf(name))).toBeUndefined();
  });
});

test("dnf's answer is one where it could answer, and its fault where not", async () => {
  const asked = (status: number): ReturnType<typeof answerTo> =>
    answerTo({ ask: async () => savedEnded("yum/not-root", status), program: "yum" }, ["repoinfo"], "repoinfo");
  expect(await asked(0)).toMatchObject({ status: 0, output: expect.stringContaining("superuser") as string });
  await expect(asked(1)).rejects.toMatchObject({
    code: "not-permitted",
    message: expect.stringMatching(/^yum repoinfo failed: /) as string,
  });
});
