import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CompanionFound } from "../../../src/updater/plan/companion.ts";
import type { Binary, InstalledPackage } from "../../../src/updater/plan/host-facts.ts";
import { recoveryOf, type Wreck } from "../../../src/updater/plan/unfinished-move.ts";
import type { PackageName } from "../../../src/rules/settings/settings.ts";
import { wrappedVersion } from "../../../src/rules/version/wrapped.ts";
import { packageVersion, version } from "../../rules/version/given.ts";
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
    companions: [],
    binary: { kind: "not-asked" },
    atHand: [wanted, old],
    forthIs: "allowed",
    recoveries: 1,
    ...more,
  };
}

const whole = { old: installed("15.4.5-1"), wanted: installed("15.4.6-1") };
const absent: InstalledPackage = { kind: "absent" };
const halfWay = { old: installed("15.4.5-1", { condition: "half-way" }), wanted: wreck().installed };

function companion(found: InstalledPackage, more: Partial<CompanionFound> = {}): CompanionFound {
  return { name: "svc-libs" as PackageName, from: old, to: wanted, found, ...more };
}

const lies: Binary = { kind: "answers", version: version("15.4.5") };

describe("a move that did not finish", () => {
  test.each([
    ["the old version is whole", { installed: whole.old }, { kind: "unchanged" }],
    ["there was none, and is none", { installed: absent, from: undefined }, { kind: "unchanged" }],
    [
      "there was none, is none, and nobody had begun a rollback",
      { installed: absent, from: undefined, course: "back" },
      { kind: "unchanged" },
    ],
    [
      "nothing is there, and nobody knows to where it went",
      { installed: absent, from: undefined, to: undefined },
      { kind: "unchanged" },
    ],
    ["the new version is whole", { installed: whole.wanted }, { kind: "finish", course: "forth", version: wanted }],
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
    ["five passes try to", { recoveries: 5 }, { kind: "install", course: "back", version: old }],
    ["no pass could end it", { recoveries: 6 }, { kind: "leave", needs: "a person" }],
    ["it was cut off again, once it ran", { recoveries: 2, installed: whole.wanted }, { kind: "install", course: "back" }],
    [
      "it was cut off again, once it ran, with no rollback",
      { recoveries: 2, installed: whole.wanted, atHand: [wanted] },
      { kind: "finish" },
    ],
    ["no pass could end it, but it is back by now", { recoveries: 6, installed: whole.old }, { kind: "unchanged" }],
    ["on the rollback, half-way", { course: "back" }, { kind: "install", course: "back", version: old }],
    [
      "on the rollback, the old version is whole",
      { course: "back", installed: whole.old },
      { kind: "finish", course: "back", version: old },
    ],
    [
      "on the rollback, the new version is whole",
      { course: "back", installed: whole.wanted },
      { kind: "install", course: "back" },
    ],
    ["on the rollback, without its package", { course: "back", atHand: [wanted] }, { kind: "leave" }],
  ] as const)("is ended where %s", (_title, found, recovery) => {
    expect(recoveryOf(wreck(found))).toMatchObject(recovery);
  });

  const [stays, went, brokeOff] = [companion(whole.old), companion(whole.wanted), companion(halfWay.wanted)];
  const added = { there: companion(whole.wanted, { from: undefined }), not: companion(absent, { from: undefined }) };

  test.each<[title: string, found: Partial<Wreck>, recovery: object]>([
    ["all of it is there", { installed: whole.wanted, companions: [went, added.there] }, { kind: "finish", course: "forth" }],
    ["nothing of it is there", { installed: whole.old, companions: [stays, added.not] }, { kind: "unchanged" }],
    ["what is added is there alone", { installed: whole.old, companions: [stays, added.there] }, { kind: "unchanged" }],
    [
      "only the agent's package is there",
      { installed: whole.wanted, companions: [went, stays] },
      { kind: "install", course: "forth", version: wanted },
    ],
    [
      "only what moves along is there",
      { installed: whole.old, companions: [stays, went] },
      { kind: "install", course: "forth", version: wanted },
    ],
    [
      "what is added is not there yet",
      { installed: whole.wanted, companions: [went, added.not] },
      { kind: "install", course: "forth", version: wanted },
    ],
    [
      "one is half-way",
      { installed: whole.wanted, companions: [brokeOff] },
      { kind: "install", course: "forth", version: wanted },
    ],
    [
      "it is mixed and nothing may begin",
      { installed: whole.wanted, companions: [stays], forthIs: "not allowed" },
      { kind: "install", course: "back", version: old },
    ],
    [
      "one has gone on since",
      { installed: whole.wanted, companions: [companion(installed("15.4.7-1"))] },
      { kind: "finish", course: "forth" },
    ],
    [
      "on the rollback, the old version is whole and what moved along is not back",
      { course: "back", installed: whole.old, companions: [went] },
      { kind: "install", course: "back", version: old },
    ],
    [
      "on the rollback, all is back and what was added stays",
      { course: "back", installed: whole.old, companions: [stays, added.there] },
      { kind: "finish", course: "back" },
    ],
  ])("of several packages is ended as a whole where %s", (_title, found, recovery) => {
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
    companions: fc.array(
      fc.record<CompanionFound>({
        name: fc.constant("svc-libs" as PackageName),
        from: fc.constantFrom(old, wanted, undefined),
        to: fc.constant(wanted),
        found: fc.constantFrom(absent, whole.old, whole.wanted, halfWay.old, halfWay.wanted),
      }),
      { maxLength: 3 },
    ),
    binary: fc.constantFrom<Binary>({ kind: "not-asked" }, { kind: "missing" }, lies, { kind: "broken", why: "it dies" }),
    atHand: fc.subarray([old, wanted]),
    forthIs: fc.constantFrom("allowed", "not allowed"),
    recoveries: fc.integer({ min: 1, max: 10 }),
  });

  test("is never ended with a package that is not at hand, nor forth once it was on its rollback", () => {
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

  test("is never called ended while anything that moves along is half-way or at the other side", () => {
    fc.assert(
      fc.property(found, (any) => {
        const recovery = recoveryOf(any);
        const side = recovery.kind === "unchanged" || (recovery.kind === "finish" && recovery.course === "back") ? "from" : "to";
        if (recovery.kind !== "unchanged" && recovery.kind !== "finish") return;
        for (const { from, to, found: there } of any.companions) {
          if (from === undefined && side === "from") continue;
          expect(there).toMatchObject({ condition: "whole" });
          if (from !== to) expect(there).not.toMatchObject({ packageVersion: side === "to" ? from : to });
        }
      }),
    );
  });

  test("needs no package where one of the two is there, whole, with all that moves along", () => {
    fc.assert(
      fc.property(found, (any) => {
        const isOld = any.from !== undefined && any.installed === whole.old && any.binary.kind === "not-asked";
        const areOld = any.companions.every(({ from, found: there }) => there === whole.old && from === old);
        if (isOld && areOld) expect(["unchanged", "finish"]).toContain(recoveryOf(any).kind);
      }),
    );
  });
});
