import { describe, expect, test } from "vitest";
import { advance, answered, begin } from "../../../src/kube/objects/advance.ts";
import type { Advance, MovePolicy, MoveSight, MovingStanding } from "../../../src/kube/objects/move-step.ts";
import type { Move } from "../../../src/kube/objects/object-decision.ts";
import type { PatchFailure } from "../../../src/kube/objects/image-patch.ts";
import type { SeenObject } from "../../../src/kube/objects/seen.ts";
import type { WatchedPod } from "../../../src/kube/objects/watched-pods.ts";
import { nothingStands, type MoveInHand } from "../../../src/kube/objects/move-memory.ts";
import { version } from "../../rules/version/given.ts";
import { defaultPolicy, now, objectOf, podOf, seenAt, statusOf, unready } from "./given.ts";

const old = "registry.example:5000/svc:15.4.5";
const fresh = "registry.example:5000/svc:15.4.6";
const decided: Move = {
  kind: "move",
  why: "window",
  told: "the window is open",
  target: { kind: "upgrade", from: version("15.4.5"), to: version("15.4.6"), image: fresh },
};
const policy: MovePolicy = { object: defaultPolicy.object, healthSeconds: 600, settleSeconds: 30, freeSeconds: 60 };
const container = "svc";
const own = { pods: [podOf(0), podOf(1), podOf(2)], revision: "a" };

const begun = begin(nothingStands, decided, { now, object: objectOf(), own, container });

function moving(changes: Partial<MoveInHand>): MovingStanding {
  return { ...begun, move: { ...begun.move, generation: 3, revisions: ["b"], ...changes } };
}

function withImage(image: string, changes: Partial<SeenObject> = {}): SeenObject {
  return objectOf({ containers: [{ name: "svc", image }], generation: 3, ...changes });
}

const withPartition = (object: SeenObject, partition: number): SeenObject => ({
  ...object,
  strategy: { type: "RollingUpdate", partition, isPaused: false },
});

/** All pods of the new version, which are well. */
const proven = withImage(fresh, statusOf({ observedGeneration: 3, updateRevision: "b", currentRevision: "b" }));
const isNew = { revision: "b" };
const three = [podOf(0, isNew), podOf(1, isNew), podOf(2, isNew)];
/** The last pod of the new version, which is not ready. */
const rolling = withImage(fresh, statusOf({ observedGeneration: 3, updated: 1, ready: 2, updateRevision: "b" }));
const stuck = [podOf(0), podOf(1), unready(2, isNew)];
/** The image is back, and the last pod is still of the version given up. */
const restored = withImage(old, statusOf({ observedGeneration: 3, updated: 2, ready: 2, updateRevision: "a" }));

function seen(changes: Partial<MoveSight> & { readonly pods?: readonly WatchedPod[] } = {}): MoveSight {
  const { pods = three, ...more } = changes;
  const object = more.object ?? proven;
  return {
    now,
    object,
    own: { pods, revision: object.status.updateRevision },
    isServerAway: false,
    wanted: undefined,
    seenSince: 0,
    excusedAt: 0,
    ...more,
  };
}

function look(standing: MovingStanding | Advance["standing"], changes?: Parameters<typeof seen>[0]): Advance {
  return advance(standing as MovingStanding, seen(changes), policy);
}

function step({ standing }: Advance): string {
  return standing.move?.step ?? standing.last?.outcome ?? "dropped";
}

describe("a move begins", () => {
  test("with what it needs to be taken back", () => {
    expect(begun.move).toMatchObject({ step: "begun", imageBefore: old, image: fresh, wasWell: true, generation: 2 });
    expect(begun.rescuedFor).toBeUndefined();
    expect(begin(nothingStands, { ...decided, why: "rescue" }, { now, object: objectOf(), own, container }).rescuedFor).toBe(
      "15.4.6",
    );
    expect(begin(nothingStands, decided, { now, object: objectOf({ containers: [] }), own, container }).move.imageBefore).toBe(
      "",
    );
  });

  test.each([
    [true, "all pods are ready by the counts", statusOf({}), [unready(0), podOf(1)]],
    [true, "a node was away", statusOf({ available: 1 }), [podOf(0, { isReady: false }), podOf(1)]],
    [true, "what was unready ends", statusOf({ available: 1 }), [unready(0, { isTerminating: true }), podOf(1)]],
    [false, "a container ran and was not ready", statusOf({ available: 1 }), [unready(0), podOf(1)]],
  ])("and knows that it was well: %s, where %s", (wasWell, _, status, pods) => {
    const sight = { now, object: objectOf(status), own: { pods, revision: "a" }, container };
    expect(begin(nothingStands, decided, sight).move.wasWell).toBe(wasWell);
  });

  test("patches once it is written", () => {
    const { change, said, ...next } = look(begun, { object: objectOf() });
    expect(step(next as Advance)).toBe("begun");
    expect(change).toMatchObject({ kind: "patch" });
    expect(JSON.stringify(change)).toContain(`"replace","path":"/spec/template/spec/containers/0/image","value":"${fresh}"`);
    expect(said).toMatchObject({ why: "moving", told: "15.4.5 -> 15.4.6: the image is about to be changed" });
  });

  test("goes on where the patch was done and its answer lost", () => {
    expect(step(look(begun, { object: rolling, pods: stuck }))).toBe("patched");
  });

  test("goes on from what a webhook has written where the answer was lost, both ways", () => {
    const elsewhere = (image: string): string => image.replace(/^.*\//, "mirror.example/");
    const forth = look(begun, { object: withImage(elsewhere(fresh)) });
    expect(forth.standing.move).toMatchObject({ step: "patched", image: "mirror.example/svc:15.4.6", imageBefore: old });
    const back = look(moving({ step: "going-back" }), { object: withImage(elsewhere(old)) });
    expect(back.standing.move).toMatchObject({ step: "returning", image: fresh, imageBefore: "mirror.example/svc:15.4.5" });
  });

  test.each([
    ["somebody has set another image", withImage("svc:1.0.0"), now],
    ["the hour it was meant for may be over", objectOf(), now + 301],
    ["it was scaled, paused or restarted meanwhile", objectOf({ generation: 3 }), now],
  ])("is decided again where %s", (_, object, at) => {
    expect(step(look(begun, { object, now: at }))).toBe("dropped");
  });
});

describe("the answer to the patch", () => {
  const failed = (kind: PatchFailure["kind"]): PatchFailure => ({ kind, told: "because" });

  test("says what is there now", () => {
    const rewritten = "mirror.example/svc:15.4.6";
    const standing = answered(begun, { kind: "done", object: withImage(rewritten) }, { now, container });
    expect(standing.move).toMatchObject({ step: "patched", generation: 3, image: rewritten, imageBefore: old });
    const back = answered(moving({ step: "going-back" }), { kind: "done", object: withImage(old) }, { now, container });
    expect(back.move).toMatchObject({ step: "returning", generation: 3, image: fresh, imageBefore: old });
  });

  test.each(["denied", "no-right"] as const)("%s ends it and waits", (kind) => {
    const standing = answered(begun, failed(kind), { now, container });
    expect(standing).toMatchObject({
      move: undefined,
      backoff: { served: "15.4.6", cause: { message: "because" }, until: now + 600 },
    });
    expect(standing.backoff?.cause.mend).toBe(kind === "no-right" ? "right" : undefined);
  });

  test("that may be another next time is told", () => {
    const standing = answered(begun, failed("again"), { now, container });
    expect(standing.move).toMatchObject({ step: "begun", trouble: "because" });
    const { said } = look(standing, { object: objectOf() });
    expect(said?.told).toMatch(/; the last try: because$/);
  });

  test("that the object has changed is tried again, five times", () => {
    let standing = begun;
    for (let tries = 0; tries < 5; tries += 1)
      standing = answered(standing, failed("changed"), { now, container }) as MovingStanding;
    expect(standing.move.tries).toBe(5);
    const again = begin({ ...standing, move: undefined }, decided, { now, object: objectOf(), own, container, tries: 5 });
    for (const fifth of [standing, again]) {
      expect(answered(fifth, failed("changed"), { now, container })).toMatchObject({
        move: undefined,
        backoff: { failures: 1 },
      });
    }
  });

  test("to a way back never ends it", () => {
    expect(answered(moving({ step: "going-back" }), failed("denied"), { now, container })).toMatchObject({
      move: { step: "going-back", trouble: "because" },
      backoff: undefined,
    });
  });
});

describe("a rollout", () => {
  test("is waited for until the watch shows the patched object", () => {
    expect(step(look(moving({ step: "patched" }), { object: objectOf() }))).toBe("patched");
  });

  test.each([
    ["its controller has seen it", rolling, "rolling"],
    ["its controller has not seen it", { ...rolling, generation: 4 }, "patched"],
    ["it says no revision", withImage(fresh, statusOf({ observedGeneration: 3, updateRevision: "" })), "patched"],
    ["it is paused", { ...rolling, strategy: { ...rolling.strategy, isPaused: true } }, "patched"],
    ["somebody has set another image", withImage("svc:1.0.0"), "overtaken"],
  ])("where %s", (_, object, expected) => {
    expect(step(look(moving({ step: "patched", revisions: [] }), { object, pods: stuck }))).toBe(expected);
    const other = expected === "overtaken" || object.replicas === 0 || object.strategy.isPaused ? expected : "rolling";
    expect(step(look(moving({ step: "rolling" }), { object, pods: stuck }))).toBe(other);
  });

  test("of nothing says so", () => {
    const { said } = look(moving({ step: "rolling" }), { object: { ...rolling, replicas: 0 }, pods: [] });
    expect(said?.told).toBe("it has no replicas: nothing is proven yet");
  });

  test("remembers each revision that its pods had, once its controller has seen it", () => {
    const { standing } = look(moving({ step: "patched", revisions: [] }), { object: rolling, pods: stuck });
    expect(standing.move?.revisions).toEqual(["b"]);
    const restarted = withImage(fresh, {
      ...statusOf({ observedGeneration: 4, updated: 0, updateRevision: "c" }),
      generation: 4,
    });
    expect(look(moving({ step: "rolling" }), { object: restarted }).standing.move?.revisions).toEqual(["b", "c"]);
    const unseen = { ...restarted, generation: 5 };
    expect(look(moving({ step: "rolling" }), { object: unseen }).standing.move?.revisions).toEqual(["b"]);
  });

  test("that comes nearer is waited for again", () => {
    const later = { object: rolling, pods: stuck, now: now + 500 };
    const { standing, until } = look(moving({ step: "rolling", progress: { count: 0, at: now } }), later);
    expect(standing.move?.progress).toEqual({ count: 1, at: now + 500 });
    expect(until).toBe(now + 560);
    const same = look(standing, { ...later, now: now + 1099 });
    expect(step(same)).toBe("rolling");
    expect(same.until).toBe(now + 1100);
    expect(step(look(standing, { ...later, now: now + 1100 }))).toBe("going-back");
    // A clock that was set back begins to count again.
    expect(look(standing, { ...later, now }).standing.move?.progress.at).toBe(now);
  });
});

describe("what nobody has seen", () => {
  test("is no time without progress of a rollout", () => {
    const before = moving({ step: "rolling", progress: { count: 1, at: now } });
    const sight = { object: rolling, pods: stuck, seenSince: now + 1200 };
    const first = look(before, { ...sight, now: now + 1200 });
    expect([step(first), first.until]).toEqual(["rolling", now + 1260]);
    expect(step(look(before, { ...sight, now: now + 1799 }))).toBe("rolling");
    expect(step(look(before, { ...sight, now: now + 1800 }))).toBe("going-back");
  });
});

describe("the proof", () => {
  test("settles first, and then ends the move", () => {
    const settling = look(moving({ step: "rolling", trouble: "x" }));
    expect(settling.standing.move).toMatchObject({ step: "settling", since: now, trouble: undefined });
    expect(settling.until).toBe(now);
    const waiting = look(settling.standing, { now: now + 29 });
    expect([step(waiting), waiting.until]).toEqual(["settling", now + 30]);
    const over = look({ ...(waiting.standing as MovingStanding), backoff: undefined }, { now: now + 30 });
    expect(over).toMatchObject({
      said: undefined,
      standing: { move: undefined, last: { outcome: "proven", from: "15.4.5", to: "15.4.6", image: fresh, at: now + 30 } },
    });
    const setBack = look(settling.standing, { now: now - 5, seenSince: now - 5 });
    expect(setBack).toMatchObject({ until: now + 25, standing: { move: { step: "settling", since: now - 5 } } });
    // What nobody saw is no proof.
    const blind = look(settling.standing, { now: now + 60, seenSince: now + 50 });
    expect([step(blind), blind.until]).toEqual(["settling", now + 80]);
  });

  test("tells how many pods a partition has left as they were", () => {
    const whyAfter = (object: SeenObject, pods: readonly WatchedPod[]): string | undefined =>
      look(moving({ step: "settling" }), { object, pods, now: now + 30 }).standing.last?.why;
    const parted = withPartition(rolling, 2);
    const why = "the partition 2 leaves 2 of 3 pods as they were";
    expect(whyAfter(parted, [podOf(0), podOf(1), podOf(2, isNew)])).toBe(why);
    // Somebody has deleted them, and they came back as the new version.
    expect(whyAfter(parted, three)).toBeUndefined();
    expect(whyAfter(proven, three)).toBeUndefined();
  });

  test("is looked for again as soon as a pod may be available", () => {
    const pods = [podOf(0), podOf(1), { ...unready(2, isNew), isReady: true, readySince: now - 20 }];
    const next = look(moving({ step: "rolling" }), { object: { ...rolling, minReadySeconds: 30 }, pods });
    expect([step(next), next.until]).toEqual(["rolling", now + 10]);
  });

  test("is lost with a pod", () => {
    expect(step(look(moving({ step: "settling" }), { object: rolling, pods: stuck }))).toBe("rolling");
  });
});

describe("a version whose pods do not get ready", () => {
  const late = { object: rolling, pods: stuck, now: now + 600 };
  const before = moving({ step: "rolling", progress: { count: 1, at: now } });

  test("is rejected, and taken back by the next look", () => {
    const back = look(before, late);
    const why = "agent-2: its container runs and is not ready";
    expect(back.standing).toMatchObject({
      move: { step: "going-back", cause: why, revisions: ["b"] },
      rejected: [{ served: "15.4.6", artifact: fresh, at: now + 600, why }],
      backoff: undefined,
    });
    expect(back.change).toBeUndefined();
    expect(back.said).toMatchObject({
      why: "going-back",
      told: expect.stringMatching(/^15\.4\.6 is taken back to 15\.4\.5: agent-2/),
    });
    const next = look(back.standing, late);
    expect(JSON.stringify(next.change)).toContain(`"replace","path":"/spec/template/spec/containers/0/image","value":"${old}"`);
  });

  test("is remembered by the digest of its image, from the move to the rejection and to what the last move left", () => {
    const digest = `sha256:${"1".repeat(64)}`;
    const looked: Move = { ...decided, target: { ...decided.target, digest } };
    const { move } = begin(nothingStands, looked, { now, object: objectOf(), own, container });
    expect(move.digest).toBe(digest);
    const back = look({ ...before, move: { ...before.move, digest } }, late);
    expect(back.standing.rejected).toMatchObject([{ artifact: fresh, digest }]);
    const settled = moving({ step: "settling", digest });
    const over = look(settled, { now: now + 30 });
    expect(over.standing.last).toMatchObject({ outcome: "proven", digest });
  });

  test("is not rejected where it is not to blame, and waits longer each time", () => {
    const missing = look(before, { ...late, pods: [podOf(0), podOf(1)] });
    expect(missing.standing).toMatchObject({ rejected: [], backoff: { failures: 1, until: now + 1200 } });
  });

  test("has its deadline anew with each pod that gets ready, though somebody has scaled it down", () => {
    const done = moving({ step: "rolling", progress: { count: 8, at: now } });
    const next = look(done, { ...late, pods: [podOf(0), { ...podOf(1, isNew), firstReady: now + 600 }, unready(2)] });
    expect(next.standing.move).toMatchObject({ step: "rolling", progress: { count: 2, at: now + 600 } });
  });

  test("is judged as soon as what they have now has lasted for the deadline", () => {
    const young = { ...late, pods: seenAt(now + 2, ...stuck) };
    const waits = look(before, young);
    expect([step(waits), waits.until]).toEqual(["rolling", now + 602]);
    expect(step(look(before, { ...young, now: now + 602 }))).toBe("going-back");
  });

  test("is not judged by time in which a node was away", () => {
    expect(step(look(before, { ...late, excusedAt: now + 1 }))).toBe("rolling");
    expect(step(look(before, { ...late, excusedAt: now }))).toBe("going-back");
  });

  test("stays where it was unwell before", () => {
    const { standing, said } = look(moving({ ...before.move, wasWell: false }), late);
    expect(standing.move?.step).toBe("rolling");
    expect(said).toMatchObject({ why: "still-unhealthy" });
  });

  test("is left for another one that is served, where it was unwell before", () => {
    const ill = moving({ ...before.move, wasWell: false });
    expect(step(look(ill, { ...late, wanted: version("15.4.6") }))).toBe("rolling");
    expect(step(look(ill, { ...late, wanted: version("15.4.7"), now: now + 599 }))).toBe("rolling");
    const { standing, said } = look(ill, { ...late, wanted: version("15.4.7") });
    const why = "agent-2: its container runs and is not ready; it was unwell before";
    expect([standing, said]).toMatchObject([{ move: undefined, last: { outcome: "unproven", why } }, undefined]);
    const well = look(before, { ...late, isServerAway: true, wanted: version("15.4.7") });
    expect(step(well)).toBe("rolling");
  });
});

describe("a pod that was not ready when the move began", () => {
  const before = moving({ step: "rolling", wasWell: false, unready: ["pod-0", "pod-2"], progress: { count: 0, at: now } });
  const none = withImage(fresh, statusOf({ observedGeneration: 3, updated: 0, ready: 1, updateRevision: "b" }));
  const pods = [unready(0), podOf(1), unready(2)];
  const late = { object: none, pods, now: now + 60 };
  const freed = (changes: Parameters<typeof seen>[0], standing = before): string | undefined => {
    const { change } = look(standing, { ...late, ...changes });
    return change?.kind === "delete" ? change.pod.name : change?.kind;
  };

  test("is noted, where another image may help it", () => {
    const unable = podOf(1, { isReady: false, isScheduled: false, areContainersReady: false, containers: [] });
    const sight = {
      now,
      object: objectOf(),
      own: { pods: [unready(0), unable, podOf(2), unready(3)], revision: "a" },
      container,
    };
    expect(begin(nothingStands, decided, sight).move.unready).toEqual(["pod-0", "pod-3"]);
    const many = Array.from({ length: 101 }, (_, ordinal) => unready(ordinal));
    expect(begin(nothingStands, decided, { ...sight, own: { pods: many, revision: "a" } }).move.unready).toHaveLength(100);
  });

  test("is deleted, the lowest first, once nothing has happened for a while", () => {
    const waits = look(before, { ...late, now: now + 59 });
    expect([waits.change, waits.until]).toEqual([undefined, now + 119]);
    const next = look(before, late);
    expect(next).toMatchObject({
      change: { kind: "delete", pod: { name: "agent-0" } },
      standing: { move: { freeing: "pod-0" } },
    });
    expect(
      freed({ pods: [podOf(0, isNew), podOf(1), unready(2)] }, moving({ ...before.move, progress: { count: 2, at: now } })),
    ).toBe("agent-2");
  });

  const parted = withPartition(none, 1);
  test.each<[string, Parameters<typeof seen>[0]]>([
    ["one that was ready is not", { pods: [unready(0), unready(1), unready(2)] }],
    ["one of the new version is not ready", { pods: [unready(0), podOf(1), unready(2, { ...isNew, uid: "new" })] }],
    ["none is left", { pods: [podOf(0), podOf(1), podOf(2)] }],
    ["it is below the partition, and the set waits for it", { object: parted }],
    ["its node is away meanwhile", { pods: [podOf(0, { isReady: false }), podOf(1), unready(2)] }],
    ["it was just seen", { pods: seenAt(now + 60, ...pods) }],
  ])("is not deleted where %s", (_, changes) => {
    expect(freed(changes)).toBeUndefined();
  });

  test("is not deleted where it has the template of the new version already", () => {
    const itself = unready(0, isNew);
    expect(
      freed({ pods: [itself, podOf(1), podOf(2)] }, moving({ ...before.move, progress: { count: 1, at: now } })),
    ).toBeUndefined();
  });
});

describe("the way back", () => {
  const returning = moving({ step: "returning", cause: "it is not ready" });
  const since = (then: number) => [podOf(0), podOf(1), ...seenAt(then, unready(2, isNew))];
  const freed = (changes: Parameters<typeof seen>[0], standing = returning): string | undefined => {
    const { change } = look(standing, { object: restored, pods: since(now - 60), ...changes });
    return change?.kind === "delete" ? change.pod.name : change?.kind;
  };

  test("goes on where its patch was done and its answer lost", () => {
    const next = look(moving({ step: "going-back" }), { object: restored, pods: stuck, now: now + 9 });
    expect(next.standing.move).toMatchObject({ step: "returning", progress: { count: 0, at: now + 9 } });
  });

  test.each(["going-back", "returning"] as const)("in %s is left to who has set a third image", (one) => {
    expect(step(look(moving({ step: one }), { object: withImage("svc:1.0.0") }))).toBe("overtaken");
  });

  test("ends once all pods are of the version before", () => {
    const object = withImage(old, statusOf({ observedGeneration: 3 }));
    const { standing } = look({ ...returning, backoff: undefined }, { object, pods: [podOf(0), podOf(1), podOf(2)] });
    expect(standing).toMatchObject({ move: undefined, last: { outcome: "back", why: "it is not ready" } });
  });

  test("ends not while a partition keeps all pods as they are, and goes on once it is lifted", () => {
    const pods = [podOf(0), podOf(1), podOf(2)];
    const object = withImage(old, statusOf({ observedGeneration: 3 }));
    const kept = withPartition(object, 3);
    const { standing, said } = look(returning, { object: kept, pods });
    expect([standing.move?.step, said]).toMatchObject(["returning", { why: "not-rolling", lift: "lower the partition" }]);
    expect(step(look(standing, { object, pods }))).toBe("back");
    const late = look(standing, { object: kept, pods, now: now + 3600 });
    expect(late.standing.needsOperator?.why).toMatch(/makes no progress: its partition 3 keeps all 3 replicas as they are$/);
  });

  test("deletes the pod that is stuck, once it is written", () => {
    expect(freed({})).toBe("agent-2");
    const { standing } = look(returning, { object: restored, pods: stuck });
    expect(standing.move?.freeing).toBe("pod-2");
  });

  test("deletes the highest first, and one below that was given up does not hinder it", () => {
    expect(freed({ pods: [podOf(0), unready(1, isNew), unready(2, isNew)] })).toBe("agent-2");
  });

  const parted = withPartition(restored, 1);
  const hindered: readonly (readonly [why: string, changes: Parameters<typeof seen>[0], standing?: MovingStanding])[] = [
    ["it is of the good version", { pods: [podOf(0), podOf(1), unready(2)] }],
    ["its revision was never known", {}, moving({ step: "returning", revisions: [] })],
    [
      "its revision is the good one, whatever the record says",
      { pods: [podOf(0), podOf(1), unready(2)] },
      moving({ step: "returning", revisions: ["a"] }),
    ],
    ["it was available a moment ago", { pods: since(now - 59) }],
    ["it was just seen", { pods: since(now) }],
    ["it is ready", { pods: [podOf(0), podOf(1), podOf(2, isNew)] }],
    ["another pod ends at present", { pods: [podOf(0), podOf(1, { isTerminating: true }), unready(2, isNew)] }],
    ["a good one below it is not ready", { pods: [podOf(0), unready(1), unready(2, isNew)] }],
    ["it is below the partition", { object: withPartition(restored, 3) }],
    ["one below the partition is not ready", { object: parted, pods: [unready(0, isNew), podOf(1), unready(2, isNew)] }],
    ["it is to go anyway", { object: { ...restored, replicas: 2 } }],
    ["pods are replaced on deletion", { object: { ...restored, strategy: { type: "OnDelete", partition: 0, isPaused: false } } }],
    ["its controller has not seen the way back", { object: { ...restored, generation: 4 } }],
  ];
  for (const [why, changes, standing = returning] of hindered) {
    test(`deletes none where ${why}`, () => {
      expect(freed(changes, standing)).toBeUndefined();
    });
  }

  test("of a Deployment deletes none", () => {
    const object = { ...defaultPolicy.object, kind: "Deployment" } as const;
    const { change } = advance(returning, seen({ object: restored, pods: stuck }), { ...policy, object });
    expect(change).toBeUndefined();
  });

  test("that makes no progress for an hour needs a person", () => {
    const at = (seconds: number) => ({ object: restored, pods: [podOf(0), podOf(1), unready(2)], now: now + seconds });
    const near = look(returning, at(10));
    expect(near.standing.move?.progress).toEqual({ count: 5, at: now + 10 });
    expect(step(look(near.standing, at(3609)))).toBe("returning");
    expect(look(near.standing, at(3610)).standing).toMatchObject({
      move: undefined,
      needsOperator: { at: now + 3610, why: expect.stringMatching(/^the way back from 15\.4\.6 to 15\.4\.5 makes no progress/) },
    });
    expect(look(near.standing, at(0)).standing.move?.progress.at).toBe(now);
  });
});

test.each([
  ["begun", "begun"],
  ["patched", "patched"],
  ["rolling", "patched"],
  ["settling", "patched"],
  ["going-back", "going-back"],
  ["returning", "going-back"],
] as const)("suspended in %s nothing is done, and it goes on from %s", (one, next) => {
  const object = { ...rolling, skip: "true" };
  const { standing, said, change } = look(moving({ step: one }), { object });
  expect([standing.move?.step, change]).toEqual([next, undefined]);
  expect(said).toMatchObject({
    why: "suspended",
    told: expect.stringMatching(/^svc\.dev\/skipreconcile is "true" in the middle of a move: /),
  });
});
