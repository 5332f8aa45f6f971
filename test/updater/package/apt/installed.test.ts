import { assert, integer, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { Fault } from "../../../../src/rules/fault/fault.ts";
import { installedFrom } from "../../../../src/updater/package/apt/installed.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";

const agent = "svc-ent" as PackageName;
const ended = (stdout: string, status = 0, stderr = ""): Parameters<typeof installedFrom>[0] => ({
  status,
  stdout,
  output: `${stdout}\n${stderr}`,
});

describe("what dpkg says of a package", () => {
  test.each([
    { row: "iW \t15.4.5-1", condition: "whole", isHeld: false },
    { row: "it \t15.4.5-1", condition: "whole", isHeld: false },
    { row: "itR\t15.4.5-1", condition: "half-way", isHeld: false },
  ])("reads $row as $condition", ({ row, condition, isHeld }) => {
    const present = { kind: "present", packageVersion: "15.4.5-1", version: "15.4.5", condition, isHeld };
    expect(installedFrom(ended(`${row}\n`), agent)).toEqual(present);
  });

  test("takes a package that is removed but for its configuration as absent", () => {
    expect(installedFrom(ended("rc \t15.4.5-1\n"), agent)).toEqual({ kind: "absent" });
  });

  test("stops at a version that is none, and at a database that cannot be read", () => {
    expect(() => installedFrom(ended("ii \tnightly\n"), agent)).toThrow(
      expect.objectContaining({
        code: "package-unreadable",
        message: 'dpkg says svc-ent is installed in version "nightly", which is no version',
        hint: "see `dpkg -s svc-ent`",
      }) as Error,
    );
    const broken = (output: string) => (): unknown => installedFrom({ status: 2, stdout: "", output }, agent);
    expect(broken("dpkg-query: error: parsing file '/var/lib/dpkg/status' near line 1:\n")).toThrow(
      expect.objectContaining({ code: "database-broken", message: expect.stringContaining("near line 1") as string }) as Error,
    );
    expect(broken("x".repeat(200))).toThrow(/: x{200}$/);
    expect(broken("x".repeat(201))).toThrow(/: x{200}…$/);
  });

  test("ends in an answer or a fault, whatever dpkg prints", () => {
    const endsAsItShould = (stdout: string, status: number): boolean => {
      try {
        return ["absent", "present"].includes(installedFrom(ended(stdout, status), agent).kind);
      } catch (thrown) {
        return thrown instanceof Fault;
      }
    };
    assert(property(string(), integer({ min: 0, max: 2 }), endsAsItShould));
  });
});
