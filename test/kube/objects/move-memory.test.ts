import { describe, expect, test } from "vitest";
import { decide } from "../../../src/kube/objects/decide-object.ts";
import type { ObjectMemory, ObjectFacts } from "../../../src/kube/objects/object-facts.ts";
import { memoryIn, nextKept, printKept, readKept } from "../../../src/kube/objects/record.ts";
import type { SeenObject } from "../../../src/kube/objects/seen.ts";
import {
  nothingStands,
  sentenceOfEnded,
  type Ended,
  type MoveInHand,
  type Standing,
} from "../../../src/kube/objects/move-memory.ts";
import { nothingHeard } from "../../../src/rules/channel/heard.ts";
import { serves } from "../../updater/plan/given.ts";
import { version } from "../../rules/version/given.ts";
import { given, noMemory, now, objectOf } from "./given.ts";

const [older, newer] = [version("15.4.5"), version("15.4.6")];
const repository = "registry.example:5000/svc";

const ended: Ended = {
  outcome: "proven",
  from: older,
  to: newer,
  imageBefore: `${repository}:15.4.5`,
  image: `${repository}:15.4.6`,
  at: now - 7200,
  why: undefined,
};

function having(standing: Partial<Standing>): ObjectMemory {
  return { ...noMemory, standing: { ...nothingStands, ...standing } };
}

describe("what moves left is heeded", () => {
  test("a version that was left is not gone back to at once", () => {
    const object = objectOf({ containers: [{ name: "svc", image: ended.image }] });
    const memory = having({ last: ended });
    const decision = decide(...given({ object, memory, answer: serves(older) }, { downgrade: "allow" }));
    expect(decision).toMatchObject({ why: "alternating" });
  });
});

describe("an older image that somebody put back", () => {
  const setBack = (facts: Partial<ObjectFacts>, last: Partial<Ended> = {}) =>
    decide(...given({ memory: having({ last: { ...ended, ...last } }), ...facts }));
  const setBy = (...imageSetters: SeenObject["imageSetters"]): Partial<ObjectFacts> => ({ object: objectOf({ imageSetters }) });

  test("is left, and who did it is told", () => {
    const told = `the image was set to ${repository}:15.4.5 after 15.4.6 was proven`;
    expect(setBack({})).toMatchObject({ kind: "stay", why: "set-back", told });
    const earlier = { container: "svc", manager: "svc-kube-updater", operation: "Update", time: "2026-11-20T01:00:00Z" };
    const later = { container: "svc", manager: "kubectl-set", operation: "Update", time: "2026-11-20T02:00:00Z" };
    const other = { container: "logs", manager: "helm", operation: "Apply", time: "2026-11-20T02:05:00Z" };
    expect(setBack(setBy(earlier, later, other))).toMatchObject({ told: `${told} by kubectl-set at 2026-11-20T02:00:00Z` });
    expect(setBack(setBy(later, earlier))).toMatchObject({ told: `${told} by kubectl-set at 2026-11-20T02:00:00Z` });
    expect(setBack(setBy({ ...later, time: "" }))).toMatchObject({ told: `${told} by kubectl-set` });
    expect(setBack(setBy({ ...later, manager: "" }))).toMatchObject({ told });
  });

  test("in the middle of a move, too", () => {
    expect(setBack({}, { outcome: "overtaken" })).toMatchObject({
      why: "set-back",
      told: `the image was set to ${repository}:15.4.5 during the move to 15.4.6`,
    });
  });

  test("is none by a tool: that is noted elsewhere", () => {
    expect(setBack(setBy({ container: "svc", manager: "helm", operation: "Update", time: "" }))).toMatchObject({ kind: "move" });
  });

  test("is left until a newer version is served than the one that was left", () => {
    expect(setBack({ answer: serves(version("15.4.7")) })).toMatchObject({ kind: "move" });
  });
});

const move: MoveInHand = {
  step: "going-back",
  why: "window",
  from: older,
  to: newer,
  imageBefore: `${"r".repeat(300)}/svc:15.4.5`,
  image: ended.image,
  wasWell: true,
  unready: ["pod-1"],
  startedAt: now,
  since: now,
  generation: 3,
  tries: 1,
  revisions: ["agent-7"],
  progress: { count: 1, at: now },
  cause: "it was not ready",
  trouble: "it does not answer",
  freeing: "pod-2",
};

describe("a record", () => {
  const standing: Standing = {
    move,
    last: { ...ended, why: "x" },
    rejected: [{ served: newer, artifact: ended.image, at: now, why: "it was not ready" }],
    backoff: { served: newer, cause: { message: "no pod" }, failures: 2, until: now },
    needsOperator: { at: now, why: "it is stuck" },
    resets: [{ served: newer, times: 2 }],
    rescuedFor: newer,
    heeded: { runNow: now, retry: now, rollback: now },
    heldUp: now,
  };
  const look = {
    now,
    uid: "1",
    decision: { kind: "stay", why: "current", told: "it is current" },
    current: older,
    heard: nothingHeard,
    unhealthySince: undefined,
    windowOf: "schedule",
    standing,
  } as const;
  const reading = readKept(printKept(nextKept(undefined, look)));

  test("keeps what moves left, whole", () => {
    expect(memoryIn(reading, "1").standing).toEqual(standing);
    expect(memoryIn(reading, undefined).standing).toEqual(standing);
  });

  test("of an object that was made again keeps which versions failed", () => {
    const { rejected, backoff, heeded } = standing;
    expect(memoryIn(reading, "2").standing).toEqual({ ...nothingStands, rejected, backoff, heeded });
  });

  test("of an earlier release has none of it", () => {
    const earlier = printKept(nextKept(undefined, { ...look, standing: nothingStands })).replace(',"rejected":[]', "");
    expect(memoryIn(readKept(earlier), "1").standing).toEqual(nothingStands);
  });
});

test("how a move ended is told in a sentence", () => {
  expect(sentenceOfEnded(ended)).toBe("upgraded (15.4.5 -> 15.4.6)");
  expect(sentenceOfEnded({ ...ended, from: ended.to, to: ended.from })).toBe("downgraded (15.4.6 -> 15.4.5)");
  expect(sentenceOfEnded({ ...ended, outcome: "back", why: "not ready" })).toBe("taken back (15.4.5 -> 15.4.6): not ready");
});
