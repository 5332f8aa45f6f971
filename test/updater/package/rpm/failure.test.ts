import { assert, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { faultTable } from "../../../../src/rules/fault/table.ts";
import { failedScript, refusalIn, rpmFault } from "../../../../src/updater/package/rpm/failure.ts";
import { agent, fileOf } from "./on-host.ts";

const lock = "error: can't create transaction lock on /var/lib/rpm/.rpm.lock";

describe("what a failing rpm says", () => {
  test.each([
    ["not-permitted", `${lock} (Permission denied)\n`],
    ["read-only", `${lock} (Read-only file system)\n`],
    [
      "database-broken",
      "error: sqlite failure: CREATE TABLE IF NOT EXISTS 'Packages': file is not a database\nerror: cannot open Packages index using sqlite - No such file or directory (2)\nerror: cannot open Packages database in /var/lib/rpm\n",
    ],
    ["plan-refused", "error: Failed dependencies:\n\tsvc-ent < 15.4.6 is needed by (installed) companion-1.0-1.x86_64\n"],
    ["no-space", "\tinstalling package big-opt-1-1.noarch needs 828KB more space on the /opt filesystem\n"],
    ["no-space", "\tinstalling package svc-ent-1-1.noarch needs 5 more inodes on the / filesystem\n"],
    [
      "no-space",
      "error: unpacking of archive failed on file /usr/bin/svc;65f: cpio: write failed - No space left on device\nerror: svc-ent-1-1.noarch: install failed\n",
    ],
    ["package-untrusted", "\tpackage svc-ent-15.4.6-1.x86_64 does not verify: no signature\n"],
    ["file-failed", "\tpackage svc-ent-15.4.6-1.x86_64 does not verify: Payload SHA256 ALT digest: BAD (Expected 72 != 8b)\n"],
    ["file-failed", "error: cut.rpm: signature hdr size(16): BAD, read returned 0\nerror: cut.rpm cannot be installed\n"],
    ["file-failed", "error: cut.rpm: not an rpm package (or package manifest): \n"],
  ])("is %s: %s", (code, output) => {
    const fault = rpmFault(output, "-U file");
    expect(fault).toMatchObject({ code, message: expect.stringMatching(/^rpm -U file failed: ./) as string });
    expect(fault.hint).not.toBe("");
  });

  test.each<[output: string, hint: string]>([
    [`${lock} (Resource temporarily unavailable)\n`, "wait for it to end; the next pass tries again"],
    [`${lock} (Permission denied)\n`, "run this as root"],
    ["error: cannot open Packages database in /var/lib/rpm\n", "type `sudo rpm --rebuilddb`"],
    ["\ta is needed by svc-ent-1-1.noarch\n", "see what stands in the way with `rpm --test -U file`"],
    [
      "error: write: Disk quota exceeded\n",
      "free some space: `df -h /usr /var` shows how much is left, `df -i /usr /var` how many files",
    ],
    ["\tpackage a-1-1.x86_64 does not verify: Header V4 RSA/SHA256 Signature: NOKEY\n", "see `rpm -q gpg-pubkey`"],
    ["error: open of a.rpm failed: No such file\n", "remove the file, and have the package downloaded once more"],
  ])("says what to do next: %s", (output, hint) => {
    expect(rpmFault(output, "-U file").hint).toBe(hint);
  });

  test("is told line by line up to where it says nothing more, and of many lines only four", () => {
    const lines = ["a", "b", "c", "d", "e"].map((name) => `\t${name} is needed by svc-ent-1-1.noarch\n`);
    expect(rpmFault(lines.join(""), "-U file").message.split("; ")).toHaveLength(4);
    expect(rpmFault("error: ".padEnd(400, "x"), "-U file").message).toMatch(/: .{200}…$/);
    expect(refusalIn(lines.slice(0, 2).join(""))).toBe("a is needed by svc-ent-1-1.noarch; b is needed by svc-ent-1-1.noarch");
    const script = `warning: %post(svc-ent-15.4.7-1.noarch) scriptlet failed, ${"x".repeat(400)}`;
    expect(failedScript(script, fileOf(agent, "15.4.7-1", "file"))).toMatch(/^.{200}…$/);
  });

  test("names who depends on what, and not that somebody does", () => {
    const output =
      "error: Failed dependencies:\n\ta < 2 is needed by (installed) one-1-1.noarch\n\tb is needed by svc-ent-1-1.noarch\n";
    expect(rpmFault(output, "-U file").message).toBe(
      "rpm -U file failed: a < 2 is needed by (installed) one-1-1.noarch; b is needed by svc-ent-1-1.noarch",
    );
  });

  test.each([
    { line: "warning: %posttrans(svc-ent-15.4.7-1.x86_64) scriptlet failed, signal 9", counts: true },
    { line: "error: %prein(svc-ent-15.4.7-1.x86_64) scriptlet failed, exit status 1", counts: true },
    { line: 'error: lua script failed: [string "%post(svc-ent-15.4.7-1.noarch)"]:1: it fails', counts: true },
    { line: "error: %preun(svc-ent-15.4.7-1.x86_64) scriptlet failed, exit status 1", counts: false },
    { line: "warning: %post(svc-ent-15.4.7-10.x86_64) scriptlet failed, exit status 1", counts: false },
  ])("is about a script of the installation or not: $line", ({ line, counts }) => {
    expect(failedScript(`Preparing packages...\n${line}\nsvc-ent-15.4.6-1.x86_64\n`, fileOf(agent, "15.4.7-1", "file"))).toBe(
      counts ? line : undefined,
    );
  });

  test("ends in a fault, whatever it is", () => {
    assert(
      property(string(), (output) => {
        expect(faultTable).toHaveProperty([rpmFault(output, "-U file").code]);
        failedScript(output, fileOf(agent, "15.4.7-1", "file"));
      }),
    );
  });
});
