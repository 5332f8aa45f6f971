import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decide } from "../../../src/updater/plan/decide-host.ts";
import type { Decision } from "../../../src/updater/plan/host-decision.ts";
import type { Facts } from "../../../src/updater/plan/host-facts.ts";
import type { Policy } from "../../../src/updater/plan/host-policy.ts";
import { repairOf } from "../../../src/updater/plan/target.ts";
import { packageVersion, version } from "../../rules/version/given.ts";
import { anyRollback, faultOf, given, installedVersion, present, previousOf, remembering, servedVersion } from "./given.ts";

const older = version("15.4.4");

/** A host that came from 15.4.4 to 15.4.5, and is told to go back. */
function decided(facts: Partial<Facts> = {}, policy: Partial<Policy> = {}): Decision {
  const situation = given(
    { answer: { kind: "not-asked" }, ...remembering({ previous: previousOf() }), ...facts },
    { asked: { when: "back", absent: "stop" }, ...policy },
  );
  return decide(situation.facts, situation.policy);
}

const back: Decision = {
  kind: "move",
  why: "rollback",
  told: "a rollback was asked for",
  target: { kind: "downgrade", from: installedVersion, to: older },
  exactly: packageVersion("15.4.4-1"),
};

describe("the rollback", () => {
  test("leads down to the version that the last move left, in the package that it was", () => {
    expect(decided()).toEqual(back);
  });

  test("leads up after a downgrade", () => {
    const previous = previousOf({ version: servedVersion, packageVersion: packageVersion("15.4.6-2") });
    expect(decided(remembering({ previous }))).toMatchObject({
      why: "rollback",
      target: { kind: "upgrade", from: installedVersion, to: servedVersion },
      exactly: "15.4.6-2",
    });
  });

  test("is a repair where the package is half installed, and no version of it can be read", () => {
    expect(decided({ installed: present({ condition: "half-way", version: undefined }) })).toMatchObject({
      why: "rollback",
      target: { kind: "repair", from: undefined, to: older, why: "the package is only half installed" },
      exactly: "15.4.4-1",
    });
  });

  test("is an installation where the agent is gone, and this was asked for", () => {
    expect(decided({ installed: { kind: "absent" } }, { asked: { when: "back", absent: "install" } })).toMatchObject({
      why: "rollback",
      target: { kind: "install", to: older },
    });
  });

  test.each<[string, Partial<Facts>, string, string]>([
    ["where no move has left anything", remembering({}), "no-way-back", "nothing was moved here yet"],
    [
      "where the version it leads to is installed",
      { installed: present({ version: version("15.4.4+build") }), ...remembering({ previous: previousOf() }) },
      "no-way-back",
      "15.4.4, which the last move replaced, is installed",
    ],
    ["where no agent is installed", { installed: { kind: "absent" } }, "package-absent", "not installed"],
    ["where it is not known what is installed", { installed: present({ version: undefined }) }, "package-unreadable", "15.4.5-1"],
  ])("is none %s", (_, facts, code, message) => {
    const decision = decided(facts);
    expect(decision).toMatchObject({ kind: "stop", fault: { code, message: expect.stringContaining(message) } });
  });

  test("says what to type where there is none", () => {
    expect(decided(remembering({}))).toMatchObject({
      fault: { hint: expect.stringMatching(/svc-upgrade status.*svc-upgrade retry.*svc-upgrade run --now/) },
    });
  });

  test("is barred by the package manager's hold, unless that is overridden", () => {
    const installed = present({ isHeld: true });
    expect(decided({ installed })).toMatchObject({ kind: "stay", why: "package-held" });
    expect(decided({ installed }, { holds: "override" })).toEqual(back);
  });

  test.each<[string, Partial<Facts>, Partial<Policy>]>([
    ["a pin on another version", {}, { pin: { version: version("15.4.5"), reason: undefined } }],
    ["a channel that does not answer", { answer: { kind: "fault", fault: faultOf("channel-unreachable") } }, {}],
  ])("is not barred by %s", (_, facts, policy) => {
    expect(decided(facts, policy)).toEqual(back);
  });
});

describe("whatever the facts", () => {
  test("a rollback moves to the version that the last move left, stays for the package manager's hold, or stops", () => {
    fc.assert(
      fc.property(anyRollback, ({ facts, policy }) => {
        const decision = decide(facts, policy);
        const { previous } = facts.memory;
        if (decision.kind === "stay") expect(decision.why).toBe("package-held");
        if (decision.kind === "stop")
          expect(decision.fault.code).toBeOneOf(["no-way-back", "package-absent", "package-unreadable"]);
        if (decision.kind !== "move") return;
        expect(decision).toMatchObject({ why: "rollback", target: { to: previous?.version }, exactly: previous?.packageVersion });
      }),
      { numRuns: 3000 },
    );
  });

  test("a second rollback after the first has nowhere to go, and neither has one that has arrived", () => {
    fc.assert(
      fc.property(anyRollback, ({ facts, policy }) => {
        const decision = decide(facts, policy);
        if (decision.kind !== "move") return;
        const arrived = { ...facts, installed: present({ version: decision.target.to }) };
        const cleared = { ...arrived, memory: { ...facts.memory, previous: undefined } };
        for (const after of [arrived, cleared])
          expect(decide(after, policy)).toMatchObject({ kind: "stop", fault: { code: "no-way-back" } });
      }),
      { numRuns: 1000 },
    );
  });

  test("only a rollback, a repair and a pin ask nobody: without an answer nothing else leads anywhere", () => {
    fc.assert(
      fc.property(anyRollback, fc.constantFrom("timer" as const, "now" as const), ({ facts, policy }, when) => {
        if (repairOf(facts) !== undefined) return;
        const decision = decide(facts, { ...policy, pin: undefined, asked: { when, absent: "stop" } });
        expect(decision).toMatchObject({ kind: "stop", fault: { code: expect.stringMatching(/^(ask-failed|package-)/) } });
      }),
    );
  });
});
