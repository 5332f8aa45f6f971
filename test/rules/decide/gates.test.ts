import { describe, expect, test } from "vitest";
import { nothingHeard } from "../../../src/rules/channel/heard.ts";
import type { Artifact } from "../../../src/rules/decide/artifact.ts";
import type { LetThrough, Refusal } from "../../../src/rules/decide/gate-answer.ts";
import type { GateFacts, GateMemory } from "../../../src/rules/decide/gate-facts.ts";
import { firstOf, type Gate, type Situation } from "../../../src/rules/decide/gate.ts";
import type { GatePolicy } from "../../../src/rules/decide/gate-policy.ts";
import { exchange } from "../../../src/rules/decide/served.ts";
import { holdGate, operatorGate, rejectedGate } from "../../../src/rules/decide/held-and-rejected-gates.ts";
import { askedGate, scheduleGate } from "../../../src/rules/decide/time-gates.ts";
import { version } from "../version/given.ts";

// A program that moves images, and has a reason of its own for staying.
type Rollout = Situation & { readonly isPaused: boolean };
type Said = Refusal<Refusal["why"] | "not-rolling"> | LetThrough;

const pausedGate: Gate<Rollout, Said> = ({ isPaused }) =>
  isPaused ? { kind: "stay", why: "not-rolling", told: "the rollout is paused", lift: "run now" } : undefined;
const gates: readonly Gate<Rollout, Said>[] = [operatorGate, pausedGate, holdGate, rejectedGate, askedGate];

const digest = (hex: string): Artifact => `sha256:${hex.repeat(64)}` as Artifact;
const now = 1_795_140_600;

function judge(
  facts: Partial<Omit<GateFacts, "memory">>,
  memory: Partial<GateMemory> = {},
  policy: Partial<GatePolicy> = {},
  isPaused = false,
): Said {
  const target = exchange(version("15.4.5"), version("15.4.6"))!;
  const nothing = { needsOperator: undefined, rejected: [], backoff: undefined, rescuedFor: undefined, previous: undefined };
  return firstOf(gates, scheduleGate, {
    target,
    isPaused,
    facts: {
      now,
      clock: { kind: "plausible" },
      answer: { kind: "served", served: { kind: "version", version: target.to }, isCritical: false },
      installed: digest("a"),
      offered: { artifact: digest("b"), build: { sha256: undefined, bytes: undefined } },
      schedule: { kind: "windows", windows: [{ start: now - 600, stop: now + 3000 }] },
      isIll: false,
      ...facts,
      memory: { ...nothing, moveSeconds: [], heard: nothingHeard, ...memory },
    },
    policy: {
      asked: { when: "timer" },
      hold: undefined,
      pin: undefined,
      window: undefined,
      blackouts: [],
      unscheduled: "rescue",
      downgrade: "refuse",
      major: "any",
      moveTakes: { atLeastSeconds: 60, atMostSeconds: 900 },
      ...policy,
    },
  });
}

describe("gates of a program that knows nothing of packages", () => {
  const rejected = [{ served: version("15.4.6"), artifact: digest("b"), at: now - 3600, why: "its pods crash" }];

  test("the first that speaks wins, its own among them", () => {
    expect(judge({})).toMatchObject({ kind: "move", why: "window", until: now + 3000 - 60 });
    expect(judge({}, {}, {}, true)).toMatchObject({ kind: "stay", why: "not-rolling" });
    expect(judge({}, { needsOperator: { at: now, why: "look" } }, {}, true)).toMatchObject({ why: "needs-operator" });
    expect(judge({}, {}, { asked: { when: "now" } }, true)).toMatchObject({ why: "not-rolling" });
  });

  test("an image is rejected by its digest alone", () => {
    const said = judge({}, { rejected });
    expect(said).toMatchObject({ kind: "stay", why: "rejected", lift: "another artifact" });
    expect(said.told).toContain(digest("b"));
    const rebuilt = { artifact: digest("c"), build: { sha256: undefined, bytes: undefined } };
    expect(judge({ offered: rebuilt }, { rejected })).toMatchObject({ kind: "move" });
  });

  test("what a window must still hold is the program's to say", () => {
    const schedule = { kind: "windows", windows: [{ start: now - 600, stop: now + 100 }] } as const;
    expect(judge({ schedule })).toMatchObject({ kind: "move", until: now + 40 });
    const patient = { moveTakes: { atLeastSeconds: 600, atMostSeconds: 2700 } };
    expect(judge({ schedule }, {}, patient)).toMatchObject({ kind: "stay", why: "window-too-short" });
    expect(judge({ schedule }, { moveSeconds: [1000] })).toMatchObject({ why: "window-too-short", lift: "run now" });
  });

  test("why there is no schedule is told in the program's words, and an ill agent is rescued once for a version", () => {
    const schedule = { kind: "none", why: "schedule-missing", told: "no schedule: the Secret is not there" } as const;
    expect(judge({ schedule })).toMatchObject({ why: "schedule-missing", told: schedule.told });
    expect(judge({ schedule, isIll: true })).toMatchObject({ kind: "move", why: "rescue" });
    expect(judge({ schedule, isIll: true }, { rescuedFor: version("15.4.6") })).toMatchObject({ why: "schedule-missing" });
  });
});
