import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { auditFrom, isInterrupted } from "../../../../../src/updater/package/apt/examine/audit.ts";
import { saved } from "../../saved.ts";
import { scratchFolder } from "../../../../machine/files/scratch.ts";

const folder = scratchFolder();

describe("dpkg's audit", () => {
  test("names each package that is not whole", () => {
    const stdout = saved("audit-halfway.txt");
    expect(auditFrom({ status: 0, stdout, output: stdout })).toEqual([
      "other is not properly installed",
      "svc-ent is not properly installed",
      "third is not properly installed",
    ]);
  });

  test("says nothing of a whole database, and fails on one that cannot be read", () => {
    expect(auditFrom({ status: 0, stdout: "", output: "" })).toEqual([]);
    const broken = (output: string) => (): unknown => auditFrom({ status: 2, stdout: "", output });
    expect(broken("dpkg: error: parsing file")).toThrow(
      expect.objectContaining({
        code: "database-broken",
        message: "dpkg cannot audit its database: dpkg: error: parsing file",
        hint: expect.stringContaining("/var/backups") as string,
      }) as Error,
    );
    expect(broken("x".repeat(200))).toThrow(/: x{200}$/);
    expect(broken("x".repeat(201))).toThrow(/: x{200}…$/);
  });

  test("tells a run that was interrupted by the changes it has left unfinished", () => {
    expect(isInterrupted(`${folder}/none`)).toBe(false);
    rmSync(`${folder}/updates`, { recursive: true, force: true });
    mkdirSync(`${folder}/updates`);
    writeFileSync(`${folder}/updates/tmp.i`, "");
    expect(isInterrupted(folder)).toBe(false);
    writeFileSync(`${folder}/updates/0001`, "");
    expect(isInterrupted(folder)).toBe(true);
  });
});
