import { describe, expect, test } from "vitest";
import type { FaultCode } from "../../../../src/rules/fault/table.ts";
import { isRpmLocked, refreshFault, zypperFault } from "../../../../src/updater/package/zypper/failure.ts";
import { withScripts } from "../../../../src/updater/package/rpm/scripts.ts";
import { scriptWords } from "../../../../src/updater/package/zypper/script-log.ts";
import { saved, savedEnded } from "../saved.ts";

const command = "install svc-ent=15.4.6-1";

describe("what a failing zypper means", () => {
  test.each<{ file: string; status: number; code: FaultCode; says: string }>([
    { file: "not-root", status: 5, code: "not-permitted", says: "Root privileges are required" },
    {
      file: "lock-waited",
      status: 7,
      code: "manager-busy",
      says: "zypper is locked. It is held by process 2993 (/usr/bin/zypper)",
    },
    { file: "lock-rpm-held", status: 8, code: "manager-busy", says: "can't create transaction lock on /var/lib/rpm/.rpm.lock" },
    { file: "install-missing", status: 104, code: "not-offered", says: "svc-ent=99.0.0-1" },
    { file: "simulate-unmet", status: 4, code: "plan-refused", says: "deinstallation of companion-1.0-1.x86_64" },
    { file: "locked-simulate", status: 4, code: "plan-refused", says: "remove lock to allow installation of svc-ent-15.4.6-1" },
    { file: "simulate-locked-version", status: 4, code: "plan-refused", says: "remove lock to allow installation of svc-ent-16" },
    { file: "install-file-conflict", status: 8, code: "plan-refused", says: "bystander-1.0-1.noarch (@System)" },
    { file: "install-licence-not-agreed", status: 4, code: "plan-refused", says: "need for license confirmation" },
    { file: "install-unsigned-checked", status: 8, code: "package-untrusted", says: "Package is not signed!" },
    { file: "install-unknown-key-checked", status: 8, code: "package-untrusted", says: ": NOKEY" },
    { file: "install-altered", status: 8, code: "download-failed", says: "Downloaded data exceeded the expected filesize" },
    { file: "install-withdrawn", status: 8, code: "download-failed", says: "not found on medium" },
    { file: "dead-install", status: 8, code: "download-failed", says: "Couldn't connect to server" },
    { file: "install-no-space", status: 8, code: "no-space", says: "Failure writing output to destination" },
    { file: "install-no-space-download", status: 8, code: "no-space", says: "to /var/cache/zypp/packages" },
    { file: "install-no-space-unpack", status: 8, code: "no-space", says: "needs 228KB more space on the / filesystem" },
    { file: "install-rpm-killed", status: 8, code: "interrupted", says: "Command was killed by signal 9" },
    { file: "install-rpm-crashed", status: 8, code: "interrupted", says: "Command was killed by signal 11" },
    { file: "install-script-killed", status: 107, code: "interrupted", says: "scriptlet failed, signal 9" },
    { file: "install-first-script-ended", status: 8, code: "interrupted", says: "scriptlet failed, signal 15" },
    { file: "install-script-crashed", status: 107, code: "install-failed", says: "scriptlet failed, signal 11" },
    { file: "install-failing-pre", status: 8, code: "install-failed", says: "%prein(svc-ent-15.6.1-1.x86_64) scriptlet failed" },
    {
      file: "install-failing-post",
      status: 107,
      code: "install-failed",
      says: "%post(svc-ent-15.6.0-1.x86_64) scriptlet failed",
    },
  ])("$file is $code", ({ file, status, code, says }) => {
    const fault = zypperFault(savedEnded(`zypper/${file}`, status), command);
    expect(fault.code).toBe(code);
    expect(fault.message).toContain(says);
    expect(fault.hint).not.toBe("");
  });

  test.each<{ output: string; code: FaultCode; says: string; hint: string }>([
    {
      output: "This is a transactional-server, please use transactional-update to update or modify the system.\n",
      code: "host-unsupported",
      says: "This is a transactional-server",
      hint: "on such a host packages are upgraded together with the whole system, for example by `transactional-update`",
    },
    {
      output:
        "Problem occurred while reading the installed packages:\nError reading solv-file: /var/cache/zypp/solv/@System/solv\n",
      code: "os-failed",
      says: "Error reading solv-file: /var/cache/zypp/solv/@System/solv",
      hint: "have zypper rebuild its caches: `sudo rm -r /var/cache/zypp/solv`, then `sudo zypper refresh`",
    },
  ])("$output is $code", ({ output, code, says, hint }) => {
    expect(zypperFault({ status: 1, output }, command)).toMatchObject({
      code,
      message: expect.stringContaining(says) as string,
      hint,
    });
  });

  const signed = "have the repository and its packages signed, with a key that this host trusts: `rpm -q gpg-pubkey` lists those";
  test.each<{ file: string; status: number; hint: string }>([
    { file: "not-root", status: 5, hint: "run this as root" },
    { file: "lock-waited", status: 7, hint: "wait for it to end; the next pass tries again" },
    { file: "install-unsigned-checked", status: 8, hint: signed },
    { file: "install-rpm-killed", status: 8, hint: "look into the system's journal for who ended it; the next pass tries again" },
    {
      file: "install-no-space",
      status: 8,
      hint: "free some space: `sudo zypper clean --all`; `df -h /usr /var` shows how much is left, `df -i /usr /var` how many files",
    },
    { file: "install-missing", status: 104, hint: "see what the repositories offer with `zypper search -s`" },
    {
      file: "install-licence-not-agreed",
      status: 4,
      hint: "read the licences and agree to them by hand: `sudo zypper install svc-ent=15.4.6-1`",
    },
    { file: "locked-simulate", status: 4, hint: "see what is locked with `zypper locks`" },
    {
      file: "install-file-conflict",
      status: 8,
      hint: "look at the whole plan with `sudo zypper install --dry-run --details svc-ent=15.4.6-1`",
    },
    { file: "dead-install", status: 8, hint: "try the repositories by hand with `sudo zypper refresh`" },
    { file: "search-no-repositories", status: 6, hint: "see which repositories are there and enabled with `zypper lr`" },
  ])("$file says what to do next", ({ file, status, hint }) => {
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
  test.each<{ file: string; code: FaultCode; says: string }>([
    { file: "dead-refresh", code: "refresh-failed", says: "Couldn't connect to server" },
    { file: "refresh-404", code: "refresh-failed", says: "Valid metadata not found at specified URL" },
    { file: "refresh-no-such-host", code: "refresh-failed", says: "Could not resolve host" },
    { file: "refresh-unknown-repository", code: "refresh-failed", says: "Repository 'nosuch' not found" },
    { file: "refresh-signature-missing", code: "package-untrusted", says: "is unsigned" },
    { file: "refresh-signature-altered", code: "package-untrusted", says: "Signature verification failed" },
    {
      file: "refresh-signature-unknown-key",
      code: "package-untrusted",
      says: "is signed with an unknown key '",
    },
    { file: "lock-refresh", code: "manager-busy", says: "It is held by process" },
  ])("$file is $code", ({ file, code, says }) => {
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
