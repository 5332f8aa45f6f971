import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Binary, InstalledPackage } from "../../src/plan/facts.ts";
import { recoveryOf, type Wreck } from "../../src/plan/recovery.ts";
import { wrappedVersion } from "../../src/version/wrapped.ts";
import { packageVersion, version } from "../version/given.ts";
import { present } from "./given.ts";

function installed(text: string, more: Parameters<typeof present>[0] = {}): InstalledPackage {
  const found = packageVersion(text);
  return present({ packageVersion: found, version: wrappedVersion(found), ...more });
}

const [old, wanted] = [packageVersion("15.4.5-1"), packageVersion("15.4.6-1")];

function wreck(more: Partial<Wreck> = {}): Wreck {
  return {
    course: "forth",
    from: old,
    to: wanted,
    installed: installed("15.4.6-1", { condition: "half-way" }),
    binary: { kind: "not-asked" },
    atHand: [wanted, old],
    forthIs: "allowed",
    recoveries: 1,
    ...more,
  };
}

const whole = { old: installed("15.4.5-1"), wanted: installed("15.4.6-1") };
const absent: InstalledPackage = { kind: "absent" };
const lies: Binary = { kind: "answers", version: version("15.4.5") };

describe("a move that was cut off", () => {
  test.each([
    ["the old version is whole", { installed: whole.old }, { kind: "unchanged" }],
    ["there was none, and is none", { installed: absent, from: undefined }, { kind: "unchanged" }],
    ["the new version is whole", { installed: whole.wanted }, { kind: "finish", course: "forth" }],
    [
      "the new version is whole, though nothing may begin",
      { installed: whole.wanted, forthIs: "not allowed" },
      { kind: "finish" },
    ],
    ["it is half-way", {}, { kind: "install", course: "forth", version: wanted }],
    ["it is gone", { installed: absent }, { kind: "install", course: "forth", version: wanted }],
    ["its binary is not its own", { installed: whole.wanted, binary: lies }, { kind: "install", course: "forth" }],
    ["it is half-way and nothing may begin", { forthIs: "not allowed" }, { kind: "install", course: "back", version: old }],
    ["it was cut off again", { recoveries: 2 }, { kind: "install", course: "back", version: old }],
    ["the new package is not at hand", { atHand: [old] }, { kind: "install", course: "back", version: old }],
    ["only the new package is at hand", { atHand: [wanted], forthIs: "not allowed" }, { kind: "install", course: "forth" }],
    ["no package is at hand", { atHand: [] }, { kind: "leave", needs: "a repository" }],
    ["no pass could end it", { recoveries: 6 }, { kind: "leave", needs: "a person" }],
    ["it was cut off again, once it ran", { recoveries: 2, installed: whole.wanted }, { kind: "install", course: "back" }],
    [
      "it was cut off again, once it ran, with no way back",
      { recoveries: 2, installed: whole.wanted, atHand: [wanted] },
      { kind: "finish" },
    ],
    ["no pass could end it, but it is back by now", { recoveries: 6, installed: whole.old }, { kind: "unchanged" }],
    ["on the way back, half-way", { course: "back" }, { kind: "install", course: "back", version: old }],
    ["on the way back, the old version is whole", { course: "back", installed: whole.old }, { kind: "finish", course: "back" }],
    [
      "on the way back, the new version is whole",
      { course: "back", installed: whole.wanted },
      { kind: "install", course: "back" },
    ],
    ["on the way back, without its package", { course: "back", atHand: [wanted] }, { kind: "leave" }],
  ] as const)("is ended where %s", (_title, found, recovery) => {
    expect(recoveryOf(wreck(found))).toMatchObject(recovery);
  });

  const found = fc.record<Wreck>({
    course: fc.constantFrom("forth", "back"),
    from: fc.constantFrom(old, undefined),
    to: fc.constantFrom(wanted, undefined),
    installed: fc.constantFrom(
      absent,
      whole.old,
      whole.wanted,
      wreck().installed,
      installed("15.4.5-1", { condition: "half-way" }),
    ),
    binary: fc.constantFrom<Binary>({ kind: "not-asked" }, { kind: "missing" }, lies, { kind: "broken", why: "it dies" }),
    atHand: fc.subarray([old, wanted]),
    forthIs: fc.constantFrom("allowed", "not allowed"),
    recoveries: fc.integer({ min: 1, max: 10 }),
  });

  test("is never ended with a package that is not at hand, nor forth once it was on its way back", () => {
    fc.assert(
      fc.property(found, (any) => {
        const recovery = recoveryOf(any);
        if (recovery.kind !== "install") return;
        expect(any.atHand).toContain(recovery.version);
        expect(recovery.version).toBe(recovery.course === "forth" ? any.to : any.from);
        if (any.course === "back") expect(recovery.course).toBe("back");
      }),
    );
  });

  test("needs no package where one of the two is there, whole", () => {
    fc.assert(
      fc.property(found, (any) => {
        const isOld = any.from !== undefined && any.installed === whole.old && any.binary.kind === "not-asked";
        if (isOld) expect(["unchanged", "finish"]).toContain(recoveryOf(any).kind);
      }),
    );
  });
});
