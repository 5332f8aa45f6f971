import { describe, expect, test } from "vitest";
import { isExcused, judge, type Stuck } from "../../../src/kube/objects/blame-for-stuck-rollout.ts";
import type { SeenPod } from "../../../src/kube/objects/pods.ts";
import type { WatchedPod } from "../../../src/kube/objects/watched-pods.ts";
import { containerOf, objectOf, podOf, seenAt, statusOf, unready } from "./given.ts";

const good = [podOf(0, { revision: "z" }), podOf(1, { revision: "z" })];
const waits = (reason: string): Partial<SeenPod> => ({
  containers: [containerOf({ isReady: false, isRunning: false, waits: reason })],
});

function judged(pods: readonly WatchedPod[], changes: Partial<Stuck> = {}) {
  const own = { pods, revision: "a" };
  const usual = { object: objectOf(), revisions: ["a"], before: "well", isServerAway: false } as const;
  return judge({ ...usual, own, seconds: 600, deadline: 600, now: 600, ...changes });
}

test.each<readonly [told: RegExp, expected: string, pods: readonly WatchedPod[]]>([
  [/^agent-2: its container runs and is not ready$/, "version", [...good, unready(2)]],
  [/^agent-2: its container ends again/, "version", [...good, unready(2, waits("CrashLoopBackOff"))]],
  [/ends again/, "version", [...good, unready(2, { containers: [containerOf({ isReady: false, hasEnded: true })] })]],
  [/^agent-2: it does not stay ready for as long as/, "version", [...good, { ...podOf(2), ill: unready(2).ill }]],
  [/cannot be pulled/, "back", [...good, unready(2, { ...waits("ErrImagePull") })]],
  [/finds no node/, "back", [...good, unready(2, { containers: [], isScheduled: false })]],
  [/has not started/, "back", [...good, unready(2, { containers: [] })]],
  [/has not started/, "back", [...good, unready(2, waits("ContainerCreating"))]],
  [/^a pod is missing/, "back", good],
  [/^the old pods are not replaced$/, "back", [...good, podOf(2, { revision: "z" })]],
  [
    /another container/,
    "still-unhealthy",
    [...good, unready(2, { containers: [containerOf({}), containerOf({ name: "logs", isReady: false })] })],
  ],
  [/its node is away/, "still-unhealthy", [...good, podOf(2, { isReady: false })]],
  [/an old pod has not ended/, "still-unhealthy", [...good, podOf(2, { revision: "z", isTerminating: true })]],
  [/ready either, so the version is not to blame$/, "still-unhealthy", [podOf(0), unready(1, { revision: "z" }), unready(2)]],
])("%s: %s", (told, expected, pods) => {
  const verdict = judged(pods);
  expect(verdict.told).toMatch(told);
  expect(verdict.kind === "wait" ? verdict.why : verdict.isVersionsFault ? "version" : "back").toBe(expected);
});

test("a Deployment tells why no pod is made", () => {
  const object = objectOf(statusOf({ notMade: "exceeded quota: few" }));
  const told = "a pod is missing: it is not made or not admitted (exceeded quota: few)";
  expect(judged([...good, podOf(2, { revision: "z" })], { object })).toEqual({
    kind: "back",
    isVersionsFault: false,
    told,
    mend: "make",
  });
});

test("an outage is waited for, and after an hour it goes back without blame", () => {
  const pods = [...good, unready(2)];
  expect(judged(pods, { isServerAway: true })).toMatchObject({ kind: "wait", told: expect.stringMatching(/version server/) });
  expect(judged(pods, { isServerAway: true, seconds: 3600 })).toMatchObject({ kind: "back", isVersionsFault: false });
});

test("what was unwell before proves nothing against a version", () => {
  const before = "not known to be well";
  const stays = { kind: "wait", why: "still-unhealthy", told: expect.stringMatching(/unwell before$/) };
  expect(judged([...good, unready(2)], { before })).toMatchObject(stays);
  expect(judged([...good, unready(2, { revision: "z" })], { before })).toMatchObject(stays);
  const unpulled = unready(2, { containers: [containerOf({ isReady: false, isRunning: false, waits: "ErrImagePull" })] });
  expect(judged([...good, unpulled], { before })).toMatchObject({ kind: "back", isVersionsFault: false });
});

test("a pod that was made before somebody changed something else of the template has the new version, too", () => {
  const made = unready(2, { revision: "y" });
  expect(judged([...good, made], { revisions: ["y", "a"] })).toMatchObject({ kind: "back", isVersionsFault: true });
  expect(judged([...good, made], { revisions: ["a"] })).toMatchObject({ kind: "wait", why: "still-unhealthy" });
});

describe("a pod that has not been ill for long", () => {
  const restarted = unready(2, { containers: [containerOf({ isReady: false, hasEnded: true })] });
  test.each([
    ["runs and is not ready", unready(2)],
    ["was begun again by its node", restarted],
  ])("is waited for: it %s", (_, pod) => {
    const stays = { kind: "wait", why: "moving", told: expect.stringMatching(/and not for long$/) };
    expect(judged([...good, ...seenAt(1, pod)])).toMatchObject({ ...stays, until: 601 });
    const justSeen = [...good, ...seenAt(600, pod)];
    expect(judged(justSeen)).toMatchObject({ ...stays, until: 1200 });
    expect(judged(justSeen, { seconds: 1700 })).toMatchObject({ ...stays, until: 700 });
    // Where pods are made again and again, none of them ever is.
    expect(judged(justSeen, { seconds: 1800 })).toMatchObject({ kind: "back" });
  });

  test("is judged where its container is backed off", () => {
    const pods = seenAt(599, unready(2, waits("CrashLoopBackOff")));
    expect(judged([...good, ...pods])).toMatchObject({ kind: "back", isVersionsFault: true });
  });

  test("comes after one that has", () => {
    const pods = [good[0]!, ...seenAt(0, unready(1, waits("ErrImagePull"))), ...seenAt(599, unready(2))];
    expect(judged(pods)).toMatchObject({ kind: "back", isVersionsFault: false });
  });
});

test.each([
  ["its node is away", podOf(2, { isReady: false }), true],
  ["an old pod ends", podOf(2, { revision: "z", isTerminating: true }), true],
  ["its container is not ready", unready(2), false],
])("what is held against no version: %s", (_, pod, isSo) => {
  const own = { pods: [...good, pod], revision: "a" };
  expect(isExcused({ object: objectOf(), own, revisions: [] })).toBe(isSo);
});
