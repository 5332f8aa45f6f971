import { describe, expect, test } from "vitest";
import type { FaultCode } from "../../../src/fault/table.ts";
import { aptFault, dpkgFault, holderIn, namingHolder, refreshTrouble } from "../../../src/package/apt/failure.ts";
import { saved } from "../saved.ts";

describe("what a failing apt means", () => {
  test.each<{ file: string; code: FaultCode; says: string }>([
    { file: "not-root.txt", code: "not-permitted", says: "are you root?" },
    { file: "lock-lists.txt", code: "manager-busy", says: "Could not get lock" },
    { file: "lock-waited.txt", code: "manager-busy", says: "Unable to acquire the dpkg frontend lock" },
    { file: "install-interrupted.txt", code: "database-broken", says: "dpkg was interrupted" },
    { file: "simulate-missing.txt", code: "not-offered", says: "Version '1.2.3' for 'svc-ent' was not found" },
    { file: "simulate-unmet.txt", code: "plan-refused", says: "svc-ent : Depends: nowhere (>= 2)" },
    { file: "install-downgrade-refused.txt", code: "plan-refused", says: "Packages were downgraded" },
    { file: "install-no-space.txt", code: "no-space", says: "No space left on device" },
    { file: "install-altered.txt", code: "download-failed", says: "Hash Sum mismatch" },
    { file: "install-failing-script.txt", code: "install-failed", says: "script subprocess returned error exit status 2" },
  ])("$file is $code", ({ file, code, says }) => {
    const fault = aptFault(saved(file), "install svc-ent=15.4.6");
    expect(fault.code).toBe(code);
    expect(fault.message).toContain(says);
    expect(fault.hint).not.toBe("");
  });

  test("a failure without a word is still a failed installation", () => {
    expect(aptFault("\n", "install svc-ent=1")).toMatchObject({
      code: "install-failed",
      message: expect.stringContaining("said nothing"),
    });
  });

  test("what apt printed last is told where nothing looks like an error", () => {
    expect(aptFault("one\ntwo\nthree\nfour\n", "update").message).toContain("two; three; four");
  });

  test.each([
    { file: "lock-asked.txt", says: /It is held by process \d+ \(python3\)$/ },
    { file: "dpkg-locked.txt", says: /It is held by process \d+$/ },
    { file: "dpkg-locked-within.txt", says: /It is held by process \d+$/ },
    { file: "dpkg-locked-named.txt", says: /It is held by process 389 \(apt-get\)$/ },
  ])("the holder of a lock is named where $file names it", ({ file, says }) => {
    const busy = aptFault(saved("lock-waited.txt"), "install");
    expect(namingHolder(busy, holderIn(saved(file))).message).toMatch(says);
  });

  test("no holder is named where none is known, and in no other fault", () => {
    const busy = aptFault(saved("lock-waited.txt"), "install");
    expect(namingHolder(busy, holderIn("the lock is free by now"))).toBe(busy);
    const other = aptFault("", "install");
    expect(namingHolder(other, holderIn(saved("lock-asked.txt")))).toBe(other);
  });
});

describe("what a failing dpkg means", () => {
  test.each<{ file: string; code: FaultCode; says: string }>([
    { file: "dpkg-locked.txt", code: "manager-busy", says: "dpkg frontend lock was locked by another process with pid" },
    { file: "dpkg-locked-named.txt", code: "manager-busy", says: "dpkg frontend lock was locked by /usr/bin/apt-get" },
    { file: "dpkg-locked-within.txt", code: "manager-busy", says: "dpkg database lock was locked by another process with pid" },
    { file: "dpkg-journal-cut.txt", code: "database-broken", says: "parsing file" },
    { file: "dpkg-unmet.txt", code: "install-failed", says: "svc-ent depends on nowhere" },
    { file: "dpkg-conflict.txt", code: "install-failed", says: "svc-ent conflicts with bystander" },
    { file: "dpkg-breaks.txt", code: "install-failed", says: "installing svc-ent would break bystander" },
    { file: "dpkg-cut.txt", code: "install-failed", says: "unexpected end of file" },
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
