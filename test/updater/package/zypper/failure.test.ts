import { describe, expect, test } from "vitest";
import type { FaultCode } from "../../../../src/rules/fault/table.ts";
import { isRpmLocked, refreshFault, zypperFault } from "../../../../src/updater/package/zypper/failure.ts";
import { withScripts } from "../../../../src/updater/package/rpm/scripts.ts";
import { scriptWords } from "../../../../src/updater/package/zypper/act.ts";
import { saved, savedEnded } from "../saved.ts";

const command = "install svc-ent=15.4.6-1";

describe("what a failing zypper means", () => {
  test.each<[file: string, code: FaultCode, status: number, says: string]>([
    ["not-root", "not-permitted", 5, "Root privileges are required"],
    ["lock-waited", "manager-busy", 7, "zypper is locked. It is held by process 2993 (/usr/bin/zypper)"],
    ["lock-rpm-held", "manager-busy", 8, "can't create transaction lock on /var/lib/rpm/.rpm.lock"],
    ["install-missing", "not-offered", 104, "svc-ent=99.0.0-1"],
    ["simulate-unmet", "plan-refused", 4, "deinstallation of companion-1.0-1.x86_64"],
    ["locked-simulate", "plan-refused", 4, "remove lock to allow installation of svc-ent-15.4.6-1"],
    ["simulate-locked-version", "plan-refused", 4, "remove lock to allow installation of svc-ent-16"],
    ["install-file-conflict", "plan-refused", 8, "bystander-1.0-1.noarch (@System)"],
    ["install-licence-not-agreed", "plan-refused", 4, "need for license confirmation"],
    ["install-unsigned-checked", "package-untrusted", 8, "Package is not signed!"],
    ["install-unknown-key-checked", "package-untrusted", 8, ": NOKEY"],
    ["install-altered", "download-failed", 8, "Downloaded data exceeded the expected filesize"],
    ["install-withdrawn", "download-failed", 8, "not found on medium"],
    ["dead-install", "download-failed", 8, "Couldn't connect to server"],
    ["install-no-space", "no-space", 8, "Failure writing output to destination"],
    ["install-no-space-download", "no-space", 8, "to /var/cache/zypp/packages"],
    ["install-no-space-unpack", "no-space", 8, "needs 228KB more space on the / filesystem"],
    ["install-rpm-killed", "interrupted", 8, "Command was killed by signal 9"],
    ["install-rpm-crashed", "interrupted", 8, "Command was killed by signal 11"],
    ["install-script-killed", "interrupted", 107, "scriptlet failed, signal 9"],
    ["install-first-script-ended", "interrupted", 8, "scriptlet failed, signal 15"],
    ["install-script-crashed", "install-failed", 107, "scriptlet failed, signal 11"],
    ["install-failing-pre", "install-failed", 8, "%prein(svc-ent-15.6.1-1.x86_64) scriptlet failed"],
    ["install-failing-post", "install-failed", 107, "%post(svc-ent-15.6.0-1.x86_64) scriptlet failed"],
  ])("%s is %s", (file, code, status, says) => {
    const fault = zypperFault(savedEnded(`zypper/${file}`, status), command);
    expect(fault.code).toBe(code);
    expect(fault.message).toContain(says);
    expect(fault.hint).not.toBe("");
  });

  test.each<[output: string, code: FaultCode, says: string, hint: string]>([
    [
      "This is a transactional-server, please use transactional-update to update or modify the system.\n",
      "host-unsupported",
      "This is a transactional-server",
      "on such a host packages are upgraded together with the whole system, for example by `transactional-update`",
    ],
    [
      "Problem occurred while reading the installed packages:\nError reading solv-file: /var/cache/zypp/solv/@System/solv\n",
      "os-failed",
      "Error reading solv-file: /var/cache/zypp/solv/@System/solv",
      "have zypper rebuild its caches: `sudo rm -r /var/cache/zypp/solv`, then `sudo zypper refresh`",
    ],
  ])("%s is %s", (output, code, says, hint) => {
    expect(zypperFault({ status: 1, output }, command)).toMatchObject({
      code,
      message: expect.stringContaining(says) as string,
      hint,
    });
  });

  const signed = "have the repository and its packages signed, with a key that this host trusts: `rpm -q gpg-pubkey` lists those";
  test.each<[file: string, status: number, hint: string]>([
    ["not-root", 5, "run this as root"],
    ["lock-waited", 7, "wait for it to end; the next pass tries again"],
    ["install-unsigned-checked", 8, signed],
    ["install-rpm-killed", 8, "look into the system's journal for who ended it; the next pass tries again"],
    [
      "install-no-space",
      8,
      "free some space: `sudo zypper clean --all`; `df -h /usr /var` shows how much is left, `df -i /usr /var` how many files",
    ],
    ["install-missing", 104, "see what the repositories offer with `zypper search -s`"],
    ["install-licence-not-agreed", 4, "read the licences and agree to them by hand: `sudo zypper install svc-ent=15.4.6-1`"],
    ["locked-simulate", 4, "see what is locked with `zypper locks`"],
    ["install-file-conflict", 8, "look at the whole plan with `sudo zypper install --dry-run --details svc-ent=15.4.6-1`"],
    ["dead-install", 8, "try the repositories by hand with `sudo zypper refresh`"],
    ["search-no-repositories", 6, "see which repositories are there and enabled with `zypper lr`"],
  ])("%s says what to do next", (file, status, hint) => {
    expect(zypperFault(savedEnded(`zypper/${file}`, status), command).hint).toBe(hint);
  });

  test("a line is told up to where it says nothing more, and of many only three", () => {
    const lines = ["a", "b", "c", "d"].map((name) => `Problem: nothing provides ${name}`).join("\n");
    expect(zypperFault({ status: 4, output: lines }, command).message.split("; ")).toHaveLength(3);
    expect(zypperFault({ status: 8, output: "Error: ".padEnd(400, "x") }, command).message).toMatch(/: .{240}…$/);
  });

  test("that no repository is enabled is told in words of ours only where zypper ends with that", () => {
    const { code, message } = zypperFault(
      { status: 8, output: "Warning: No repositories defined. Use 'zypper addrepo'\n" },
      command,
    );
    expect([code, message]).toEqual(["not-offered", expect.stringContaining("No repositories defined")]);
  });

  test.each<{ status: number; code: FaultCode }>([
    { status: 4, code: "download-failed" },
    { status: 5, code: "not-permitted" },
    { status: 6, code: "not-offered" },
    { status: 7, code: "manager-busy" },
    { status: 104, code: "not-offered" },
    { status: 106, code: "download-failed" },
    { status: 1, code: "install-failed" },
  ])("a status of $status without a word is $code", ({ status, code }) => {
    expect(zypperFault({ status, output: "\n" }, command)).toMatchObject({ code });
  });

  test("a root that cannot be written to is told as such", () => {
    const said = "The target filesystem is mounted as read-only. Please make sure the target filesystem is writeable.\n";
    expect(zypperFault({ status: 5, output: said }, command)).toMatchObject({ code: "read-only" });
  });

  test("without a repository zypper says nothing at all, and the fault does", () => {
    expect(zypperFault({ status: 6, output: "" }, "refresh").message).toBe(
      "zypper has no repository: none is enabled on this host",
    );
  });

  test("an error is told before what follows it", () => {
    expect(zypperFault({ status: 8, output: "Error: this\nthat\n" }, command).message).toMatch(/: Error: this$/);
  });
});

describe("a failing package script of a quiet zypper", () => {
  test("is told with its own last word, which zypper keeps to its history", () => {
    const words = scriptWords(saved("zypper/script-log-post.txt"));
    const quiet = withScripts(savedEnded("zypper/install-failing-post-quiet", 107), words);
    expect(zypperFault(quiet, command)).toMatchObject({
      code: "install-failed",
      message:
        "zypper install svc-ent=15.4.6-1 failed with status 107: svc-ent: the postinst fails; warning: %post(svc-ent-15.6.0-1.x86_64) scriptlet failed, exit status 1",
    });
  });

  test("is told without a word where it printed none, and with no other's", () => {
    const end = "warning: %post(svc-ent-15.6.0-1.x86_64) scriptlet failed, exit status 1";
    const told = (...words: readonly string[]): string =>
      zypperFault(withScripts({ status: 107, stdout: "", output: "" }, words), command)
        .message.split(": ")
        .slice(1)
        .join(": ");
    expect(told(end, "after")).toBe(end);
    expect(told("first", "last", end, "after")).toBe(`last; ${end}`);
  });
});

describe("a busy rpm", () => {
  test("is told apart from a busy zypper, for which zypper waits itself", () => {
    expect(isRpmLocked(savedEnded("zypper/lock-rpm-held", 8))).toBe(true);
    expect(isRpmLocked(savedEnded("zypper/lock-waited", 7))).toBe(false);
  });
});

describe("what a failing refresh means", () => {
  test.each<[file: string, code: FaultCode, says: string]>([
    ["dead-refresh", "refresh-failed", "Couldn't connect to server"],
    ["refresh-404", "refresh-failed", "Valid metadata not found at specified URL"],
    ["refresh-no-such-host", "refresh-failed", "Could not resolve host"],
    ["refresh-unknown-repository", "refresh-failed", "Repository 'nosuch' not found"],
    ["refresh-signature-missing", "package-untrusted", "is unsigned"],
    ["refresh-signature-altered", "package-untrusted", "Signature verification failed"],
    ["refresh-signature-unknown-key", "package-untrusted", "is signed with an unknown key '"],
    ["lock-refresh", "manager-busy", "It is held by process"],
  ])("%s is %s", (file, code, says) => {
    const fault = refreshFault(savedEnded(`zypper/${file}`, 4));
    expect(fault.code).toBe(code);
    expect(fault.message).toContain(says);
  });

  test("a key that nobody has trusted is told with its owner and its fingerprint, and how to trust it", () => {
    const fault = refreshFault(savedEnded("zypper/refresh-key-not-imported", 4));
    expect(fault.code).toBe("package-untrusted");
    expect(fault.message).toMatch(
      /^the repository Lab \w+ is signed with a key that this host does not trust: [0-9A-F]{8}( [0-9A-F]{8}){4} of trusted@outer.test$/,
    );
    expect(fault.hint).toContain("`sudo zypper refresh`");
    const nameless = saved("zypper/refresh-key-not-imported.txt").replace(/^ *Key Name:.*\n/m, "");
    expect(refreshFault({ status: 4, output: nameless }).message).toMatch(/: [0-9A-F]{8}( [0-9A-F]{8}){4}$/);
    const unplaced = saved("zypper/refresh-key-not-imported.txt").replace(/^ *Repository:.*\n/m, "");
    expect(refreshFault({ status: 4, output: unplaced }).message).toMatch(
      /^zypper refresh failed with status 4: New repository or/,
    );
    const short = nameless.replace(/^ *Key Fingerprint:.*\n/m, "");
    expect(refreshFault({ status: 4, output: short }).message).toMatch(/^zypper refresh failed with status 4: New repository or/);
  });

  test("is that the lists could not be refreshed, in zypper's last words, with what to type", () => {
    const fault = refreshFault({ status: 8, output: "one\n  \ntwo\n  \n three\nfour\n" });
    expect(fault).toMatchObject({
      code: "refresh-failed",
      message: "the package lists could not be refreshed: two; three; four",
      hint: "try it by hand: `sudo zypper refresh`",
    });
  });
});
