import { describe, expect, test } from "vitest";
import type { FaultCode } from "../../../../src/rules/fault/table.ts";
import { aptFault, dpkgFault, holderIn, refreshTrouble } from "../../../../src/updater/package/apt/failure.ts";
import { saved } from "../saved.ts";
import { heldBy } from "../../../../src/updater/package/failure/failure.ts";

describe("what a failing apt means", () => {
  test.each<{ file: string; code: FaultCode; says: string }>([
    { file: "not-root.txt", code: "not-permitted", says: "are you root?" },
    { file: "lock-lists.txt", code: "manager-busy", says: "Could not get lock" },
    { file: "lock-waited.txt", code: "manager-busy", says: "Unable to acquire the dpkg frontend lock" },
    { file: "install-interrupted.txt", code: "database-broken", says: "dpkg was interrupted" },
    { file: "install-dpkg-killed.txt", code: "interrupted", says: "Sub-process /usr/bin/dpkg exited unexpectedly" },
    { file: "install-dpkg-crashed.txt", code: "interrupted", says: "received a segmentation fault" },
    { file: "install-script-ended.txt", code: "interrupted", says: "subprocess was killed by signal (Terminated)" },
    { file: "install-script-crashed.txt", code: "install-failed", says: "killed by signal (Segmentation fault)" },
    { file: "simulate-missing.txt", code: "not-offered", says: "Version '1.2.3' for 'svc-ent' was not found" },
    { file: "simulate-unmet.txt", code: "plan-refused", says: "svc-ent : Depends: nowhere (>= 2)" },
    { file: "install-downgrade-refused.txt", code: "plan-refused", says: "Packages were downgraded" },
    { file: "install-no-space.txt", code: "no-space", says: "No space left on device" },
    { file: "install-altered.txt", code: "download-failed", says: "Hash Sum mismatch" },
    { file: "install-failing-script.txt", code: "install-failed", says: "script subprocess returned error exit status 2" },
    {
      file: "install-failing-preinst.txt",
      code: "install-failed",
      says: "svc-ent package pre-installation script subprocess returned",
    },
    {
      file: "install-overwrite.txt",
      code: "install-failed",
      says: "'/usr/share/bystander/version', which is also in package bystander",
    },
    {
      file: "sid-install-failing-script.txt",
      code: "install-failed",
      says: "old svc-ent package postinst maintainer script subprocess",
    },
    {
      file: "sid-install-failing-preinst.txt",
      code: "install-failed",
      says: "new svc-ent package preinst maintainer script subprocess",
    },
    {
      file: "sid-install-overwrite.txt",
      code: "install-failed",
      says: "'/usr/share/bystander/version', which is also in package bystander",
    },
    ...["trixie", "sid"].flatMap((suite): { file: string; code: FaultCode; says: string }[] => [
      { file: `${suite}-simulate-conflicts.txt`, code: "plan-refused", says: "svc-ent : Conflicts: bystander but 1.0 is" },
      { file: `${suite}-simulate-breaks.txt`, code: "plan-refused", says: "svc-ent : Breaks: bystander (< 2) but 1.0 is" },
      {
        file: `${suite}-simulate-unmet.txt`,
        code: "plan-refused",
        says: "svc-ent : Depends: nowhere (>= 2) but it is not installable; Depends: elsewhere but it is not installable",
      },
      {
        file: `${suite}-install-unmet.txt`,
        code: "plan-refused",
        says: "svc-ent:amd64=16.3.0 Depends nowhere (>= 2) but none of the choices are installable",
      },
    ]),
    {
      file: "sid-install-conflicts.txt",
      code: "plan-refused",
      says: "bystander:amd64=1.0 is not selected for install because: svc-ent:amd64=16.1.0 is selected as an upgrade; svc-ent:amd64=16.1.0 Conflicts bystander",
    },
  ])("$file is $code", ({ file, code, says }) => {
    const fault = aptFault(saved(file), "install svc-ent=15.4.6");
    expect(fault.code).toBe(code);
    expect(fault.message).toContain(says);
    expect(fault.hint).not.toBe("");
  });

  test.each<[output: string, code: FaultCode, hint: string]>([
    ["E: Unable to acquire x, are you root?", "not-permitted", "run this as root"],
    ["E: Could not get lock x", "manager-busy", "wait for it to end; the next pass tries again"],
    ["E: dpkg was interrupted, you must run it", "database-broken", "type `sudo dpkg --configure -a`"],
    ["dpkg: error: parsing file x", "database-broken", "see `dpkg --audit`; dpkg keeps older copies in /var/backups"],
    ["E: Unable to locate package x", "not-offered", "see what the repositories offer with `apt-cache policy`"],
    [
      "E: You don't have enough free space in x",
      "no-space",
      "free some space: `sudo apt-get clean`; `df -h /usr /var` shows how much is left, `df -i /usr /var` how many files",
    ],
    ["rm: Read-only file system", "read-only", "see with `findmnt --target /usr`"],
    [
      "E: There were unauthenticated packages",
      "package-untrusted",
      "have the repository signed, and its key named by signed-by in its source",
    ],
    ["E: Failed to fetch x", "download-failed", "try the repository by hand with `sudo apt-get update`"],
    ["E: Held packages were changed", "plan-refused", "see what stands in the way with `apt-get -s install x=1`"],
    ["E: Sub-process dpkg received a signal", "interrupted", "look into the system's journal"],
  ])("%s is %s, and the hint goes on from there", (output, code, hint) => {
    const fault = aptFault(`${output}\n`, "install x=1");
    expect(fault.code).toBe(code);
    expect(fault.hint.startsWith(hint)).toBe(true);
  });

  test("of a line two hundred characters are told, of lines three, of one that was understood that alone", () => {
    const told = (output: string): string => aptFault(output, "install").message.replace("apt-get install failed: ", "");
    expect(told(`E: ${"x".repeat(197)}`)).toBe(`E: ${"x".repeat(197)}`);
    expect(told(`E: ${"x".repeat(198)}`)).toBe(`E: ${"x".repeat(197)}…`);
    expect(told("E: 1\nE: 2\nE: 3\nE: 4\n")).toBe("E: 2; E: 3; E: 4");
    expect(told("E: Could not get lock 1\nE: Could not get lock 2\n")).toBe("E: Could not get lock 1");
  });

  test("what is installed and lacks something is nobody's plan", () => {
    const quiet = "E: Unmet dependencies. Try 'apt --fix-broken install' with no packages (or specify a solution).";
    const fault = aptFault(quiet, "install svc-ent=15.4.6");
    expect(fault).toMatchObject({
      code: "plan-refused",
      hint: expect.stringContaining("`sudo apt-get --fix-broken install`") as string,
    });
    expect(fault.message).toContain("Unmet dependencies");
    expect(aptFault(` svc-ent : Depends: dep but it is not going to be installed\n${quiet}`, "install").message).toMatch(
      /failed: svc-ent : Depends: dep but it is not going to be installed$/,
    );
  });

  test.each([
    { file: "lock-asked.txt", says: /It is held by process \d+ \(python3\)$/ },
    { file: "dpkg-locked.txt", says: /It is held by process \d+$/ },
    { file: "dpkg-locked-within.txt", says: /It is held by process \d+$/ },
    { file: "dpkg-locked-named.txt", says: /It is held by process 389 \(apt-get\)$/ },
  ])("the holder of a lock is named where $file names it", ({ file, says }) => {
    expect(heldBy("apt", holderIn(saved(file))!)).toMatch(says);
  });
});

describe("what a failing dpkg means", () => {
  test.each<{ file: string; code: FaultCode; says: string }>([
    { file: "dpkg-locked.txt", code: "manager-busy", says: "dpkg frontend lock was locked by another process with pid" },
    { file: "dpkg-locked-named.txt", code: "manager-busy", says: "dpkg frontend lock was locked by /usr/bin/apt-get" },
    { file: "dpkg-locked-within.txt", code: "manager-busy", says: "dpkg database lock was locked by another process with pid" },
    { file: "dpkg-journal-cut.txt", code: "database-broken", says: "parsing file" },
    { file: "dpkg-script-killed.txt", code: "interrupted", says: "subprocess was killed by signal (Killed)" },
    { file: "dpkg-script-crashed.txt", code: "install-failed", says: "killed by signal (Segmentation fault)" },
    { file: "dpkg-unmet.txt", code: "install-failed", says: "svc-ent depends on nowhere" },
    { file: "sid-dpkg-failing-script.txt", code: "install-failed", says: "old svc-ent package postinst maintainer script" },
  ])("$file is $code", ({ file, code, says }) => {
    const fault = dpkgFault(saved(file), "--install x.deb");
    expect(fault.code).toBe(code);
    expect(fault.message).toContain("dpkg --install x.deb failed: ");
    expect(fault.message).toContain(says);
  });
});

describe("what a refresh says", () => {
  test.each([
    ["update-dead.txt", "E: Failed to fetch http://127.0.0.1:9/dead"],
    ["update-dead-tolerant.txt", "W: Failed to fetch http://127.0.0.1:9/dead"],
  ])("%s tells of a list that could not be fetched", (file, says) => {
    expect(refreshTrouble(saved(file))).toContain(says);
  });

  test.each(["", "W: http://x.example: Key is stored in legacy trusted.gpg keyring\n", "N: a note\n"])(
    "%j is no trouble",
    (output) => {
      expect(refreshTrouble(output)).toBeUndefined();
    },
  );
});
