import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decide } from "../../../src/updater/plan/decide-host.ts";
import type { Decision, StayReason } from "../../../src/updater/plan/host-decision.ts";
import type { Policy } from "../../../src/updater/plan/host-policy.ts";
import { damageIn, type Movement } from "../../../src/updater/plan/target.ts";
import { compareVersions } from "../../../src/rules/version/version.ts";
import { version as versionOf } from "../../rules/version/given.ts";
import { weeklyWindows } from "../../../src/rules/window/weekly.ts";
import type { Window } from "../../../src/rules/window/window.ts";
import { anyGiven, present, type Given } from "./given.ts";

/** More than fast-check's hundred: the facts are many, and a decision takes microseconds. */
const runs = { numRuns: 3000 };

/** The stays that gates 9 and 12 to 17 speak: what `--now` passes. */
const passedByNow: ReadonlySet<StayReason> = new Set<StayReason>([
  "backing-off",
  "never",
  "clock",
  "blackout",
  "window-too-short",
  "outside-window",
  "schedule-missing",
  "schedule-empty",
  "schedule-invalid",
  "schedule-stale",
]);
/**
 * What `--now` may make of a decision. Gate 10 comes after gate 9: it may show behind a backoff, and a refusal after repairs in
 * vain needs a person.
 */
function passing(timed: Decision): readonly string[] {
  if (timed.kind === "stay" && timed.why === "backing-off") {
    return ["asked", "downgrade-refused", "major-refused", "alternating", "needs-operator"];
  }
  return timed.kind === "move" || (timed.kind === "stay" && passedByNow.has(timed.why)) ? ["asked"] : [whyOf(timed)];
}

function whyOf(decision: Decision): string {
  return decision.kind === "stop" ? decision.fault.code : decision.why;
}

function targetMoved(decision: Decision): Movement | undefined {
  return decision.kind === "move" ? decision.target : undefined;
}

function decided({ facts, policy }: Given): Decision {
  return decide(facts, policy);
}

function asking(policy: Policy, when: Policy["asked"]["when"]): Policy {
  return { ...policy, asked: { ...policy.asked, when } };
}

/** Independent of the code under test: the windows that count, as they are. */
function windowsOf({ facts, policy }: Given): readonly Window[] {
  const { window } = policy;
  if (window !== undefined) return [...window.hourly.flatMap((weekly) => weeklyWindows(weekly, facts.now)), ...window.spans];
  return facts.schedule.kind === "windows" ? facts.schedule.windows : [];
}

function isOpen(situation: Given): boolean {
  return windowsOf(situation).some(({ start, stop }) => start <= situation.facts.now && situation.facts.now < stop);
}

test("whatever the facts, there is one decision, in words", () => {
  fc.assert(
    fc.property(anyGiven, (situation) => {
      const decision = decided(situation);
      const told = decision.kind === "stop" ? decision.fault.message : decision.told;
      expect(told).toMatch(/^[^\n]{5,}$/);
      expect(told).not.toMatch(/undefined|NaN|null/);
    }),
    runs,
  );
});

test("every stay says when it ends by itself or what lifts it, and its end lies ahead", () => {
  fc.assert(
    fc.property(anyGiven, (situation) => {
      const decision = decided(situation);
      if (decision.kind !== "stay") return;
      expect(decision.until ?? decision.lift).toBeDefined();
      expect(decision.until ?? Infinity).toBeGreaterThan(situation.facts.now);
    }),
    runs,
  );
});

test("nothing goes down unless downgrades are allowed", () => {
  fc.assert(
    fc.property(anyGiven, ({ facts, policy }) => {
      const decision = decide(facts, { ...policy, downgrade: "refuse" });
      if (decision.kind !== "move" || facts.installed.kind !== "present" || facts.installed.version === undefined) return;
      expect(compareVersions(decision.target.to, facts.installed.version)).toBeGreaterThanOrEqual(0);
    }),
    runs,
  );
});

test("nothing skips a major version where it must go step by step", () => {
  fc.assert(
    fc.property(anyGiven, ({ facts, policy }) => {
      const decision = decide(facts, { ...policy, major: "one-step" });
      if (decision.kind !== "move" || facts.installed.kind !== "present" || facts.installed.version === undefined) return;
      const [to, from] = [decision.target.to, facts.installed.version].map((version) => Number(version.split(".")[0]));
      expect(to! - from!).toBeLessThanOrEqual(1);
    }),
    runs,
  );
});

test("a move goes to the pinned version, else to the served one, or repairs the one that is installed", () => {
  fc.assert(
    fc.property(anyGiven, (situation) => {
      const decision = decided(situation);
      if (decision.kind !== "move") return;
      const { answer, installed } = situation.facts;
      const { pin } = situation.policy;
      const heard = answer.kind === "served" && answer.served.kind === "version" ? answer.served.version : undefined;
      const served = pin === undefined ? heard : pin.version;
      const there = decision.target.kind === "repair" && installed.kind === "present" ? installed.version : undefined;
      expect([served, there]).toContain(decision.target.to);
    }),
    runs,
  );
});

test("a repair puts back the very package that is installed, and nothing else moves while that can help", () => {
  fc.assert(
    fc.property(anyGiven, (situation) => {
      const { installed, binary, memory } = situation.facts;
      if (installed.kind === "absent" || installed.version === undefined || damageIn(installed, binary) === undefined) return;
      const decision = decided(situation);
      if (decision.kind === "stop") expect.unreachable("a repair needs no answer");
      if (decision.kind !== "move") return;
      if (decision.target.kind === "repair") {
        expect(decision).toMatchObject({ exactly: installed.packageVersion, target: { to: installed.version } });
      } else {
        expect(memory.repairs?.to).toBe(installed.version);
      }
    }),
    runs,
  );
});

test("nothing moves for the window's sake while no window is open, or with less than ten minutes of it left", () => {
  fc.assert(
    fc.property(anyGiven, (situation) => {
      const decision = decided(situation);
      if (decision.kind !== "move" || decision.why !== "window") return;
      const { facts, policy } = situation;
      expect(isOpen(situation)).toBe(true);
      expect(isOpen({ facts: { ...facts, now: facts.now + 599 }, policy })).toBe(true);
    }),
    runs,
  );
});

test("a valid schedule that is closed lets nothing through but what is critical or asked for", () => {
  fc.assert(
    fc.property(anyGiven, (situation) => {
      const decision = decided(situation);
      const isScheduled = situation.policy.window !== undefined || situation.facts.schedule.kind === "windows";
      if (decision.kind !== "move" || !isScheduled || isOpen(situation)) return;
      expect(["critical", "asked"]).toContain(decision.why);
    }),
    runs,
  );
});

test("nothing moves in a blackout, under a hold, or on a wrong clock, but what is critical or asked for", () => {
  fc.assert(
    fc.property(anyGiven, (situation) => {
      const { facts, policy } = situation;
      const decision = decided(situation);
      if (decision.kind !== "move") return;
      expect(policy.hold === undefined || (policy.hold.until !== undefined && policy.hold.until <= facts.now)).toBe(true);
      if (decision.why === "critical" || decision.why === "asked") return;
      expect(policy.blackouts.some(({ from, to }) => from <= facts.now && facts.now < to)).toBe(false);
      expect(facts.clock.kind).not.toBe("wrong");
    }),
    runs,
  );
});

test("a second pass over a host that is at the pinned version moves nothing, whatever the channel does", () => {
  fc.assert(
    fc.property(anyGiven, fc.constantFrom("answers", "not-asked"), ({ facts, policy }, witness) => {
      const version = facts.installed.kind === "present" ? facts.installed.version : undefined;
      if (version === undefined) return;
      const binary = witness === "answers" ? ({ kind: "answers", version } as const) : ({ kind: "not-asked" } as const);
      const settled = { ...facts, installed: present({ version }), binary };
      const pinned = { ...policy, pin: { version, reason: undefined } };
      expect(decide(settled, pinned)).toMatchObject({ kind: "stay", why: "pinned", lift: "svc-upgrade unpin" });
    }),
    runs,
  );
});

test("with a pin it does not matter what the channel says, or whether it says anything", () => {
  fc.assert(
    fc.property(anyGiven, anyGiven, ({ facts, policy }, { facts: others }) => {
      const pinned = { ...policy, pin: policy.pin ?? { version: versionOf("15.4.6"), reason: undefined } };
      const one = decide(facts, pinned);
      const other = decide({ ...facts, answer: others.answer, memory: { ...facts.memory, heard: others.memory.heard } }, pinned);
      expect([one.kind, whyOf(one), targetMoved(one)]).toEqual([other.kind, whyOf(other), targetMoved(other)]);
      expect(whyOf(one)).not.toBe("critical");
    }),
    runs,
  );
});

test("--now passes gates 9 and 12 to 17, and no other", () => {
  fc.assert(
    fc.property(anyGiven, ({ facts, policy }) => {
      const timed = decide(facts, asking(policy, "timer"));
      const asked = decide(facts, asking(policy, "now"));
      expect(whyOf(asked)).toBeOneOf(passing(timed));
      expect(targetMoved(asked) ?? targetMoved(timed)).toEqual(targetMoved(timed) ?? targetMoved(asked));
    }),
    runs,
  );
});

test("waiting ends: following every until leads to a move, or to a stay that something else lifts", () => {
  fc.assert(
    fc.property(anyGiven, ({ facts, policy }) => {
      const hops = [facts.now];
      for (let at: number | undefined = facts.now; at !== undefined && hops.length < 40;) {
        const decision: Decision = decide({ ...facts, now: at }, policy);
        at = decision.kind === "stay" ? decision.until : undefined;
        if (at !== undefined) hops.push(at);
      }
      expect(hops.length).toBeLessThan(40);
    }),
    runs,
  );
});
