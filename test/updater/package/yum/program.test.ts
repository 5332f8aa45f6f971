import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { yumProgram } from "../../../../src/updater/package/yum/program.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-upgrade-programs-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A program, or a link where the name has an arrow. */
function put(...names: readonly string[]): void {
  for (const name of names) {
    const [link = "", target] = name.split(" -> ");
    if (target === undefined) writeFileSync(join(folder, link), "");
    else symlinkSync(target, join(folder, link));
  }
}

describe("the program of the family", () => {
  test.each([
    { host: "RHEL", has: ["dnf-3", "dnf -> dnf-3", "yum -> dnf-3"], program: "dnf" },
    { host: "one with its number in its name", has: ["dnf-4", "dnf -> dnf-4"], program: "dnf" },
    { host: "one with a wrapper", has: ["dnf"], program: "dnf" },
  ])("is dnf 4 by the name that $host has for it", ({ has, program }) => {
    put(...has);
    expect(yumProgram(folder)).toBe(program);
  });

  test("is missing where yum is yum 3", () => {
    put("yum");
    expect(() => yumProgram(folder)).toThrow(
      expect.objectContaining({ code: "host-unsupported", message: expect.stringContaining("yum is yum here") }),
    );
  });
});
