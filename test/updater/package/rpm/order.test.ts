import { execFileSync, spawnSync } from "node:child_process";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareRpmVersions } from "../../../../src/updater/package/rpm/order.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";

const order = (left: string, right: string): number =>
  Math.sign(compareRpmVersions(left as PackageVersion, right as PackageVersion));

const isThere = spawnSync("rpm", ["--version"]).error === undefined;
if (!isThere) console.warn("SKIPPED: the comparison with rpm's own order: rpm is not installed");

describe("rpm's order", () => {
  test.each([
    ["15.4.9-1", "15.4.10-1"],
    ["15.4.6~rc.1-1", "15.4.6-1"],
    ["15.4.6-1", "15.4.6^20261121-1"],
    ["15.4.6^20261121-1", "15.4.6.1-1"],
    ["9:1-1", "10:1-1"],
    ["1.0a-1", "1.0.1-1"],
    ["1.0a-1", "1.0b-1"],
  ])("puts %s before %s", (before, after) => {
    expect(order(before, after)).toBe(-1);
    expect(order(after, before)).toBe(1);
  });

  test("takes 15.4.6 and 15.4.6- for the same", () => {
    expect(order("15.4.6", "15.4.6-")).toBe(0);
  });

  test.skipIf(!isThere)("is what rpm itself says of any two versions", () => {
    const text = fc.stringMatching(/^[0-9][0-9a-bAB.~^_+]{0,7}$/);
    const pairs = fc.sample(fc.tuple(text, text), { numRuns: 400 });
    const calls = pairs.map(([left, right]) => `print(rpm.vercmp('${left}','${right}')..' ')`).join(" ");
    const told = execFileSync("rpm", ["--eval", `%{lua: ${calls}}`], { encoding: "utf8" })
      .trim()
      .split(/\s+/)
      .map(Number);
    expect(pairs.map(([left, right]) => ({ left, right, order: order(`${left}-1`, `${right}-1`) }))).toEqual(
      pairs.map(([left, right], at) => ({ left, right, order: told[at] })),
    );
  });
});
