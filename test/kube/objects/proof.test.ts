import { describe, expect, test } from "vitest";
import type { SeenPod } from "../../../src/kube/objects/pods.ts";
import { isFirstReady, isProven, progressOf, readyOnce } from "../../../src/kube/objects/proof.ts";
import type { SeenObject } from "../../../src/kube/objects/seen.ts";
import { objectOf, podOf, statusOf, unready } from "./given.ts";

const three = [podOf(0), podOf(1), podOf(2)];
const split = (partition: number): Pick<SeenObject, "strategy"> => ({
  strategy: { type: "RollingUpdate", partition, isPaused: false },
});

describe("a StatefulSet", () => {
  const proven = (changes: Partial<SeenObject>, pods: readonly SeenPod[] = three, revision = "a"): boolean =>
    isProven("StatefulSet", objectOf(changes), { pods, revision });

  test("is proven by its counts and its pods", () => {
    expect(proven({})).toBe(true);
    expect(proven({ replicas: 0, ...statusOf({ replicas: 0, updated: 0, ready: 0, available: 0 }) }, [])).toBe(true);
  });

  test.each<readonly [string, Partial<SeenObject>, readonly SeenPod[]]>(
    (
      [
        ["its controller has not seen its template", { generation: 3 }],
        ["it has more replicas", statusOf({ replicas: 4 })],
        ["one is not updated", statusOf({ updated: 2 })],
        ["one is not ready", statusOf({ ready: 2 })],
        ["one is not available", statusOf({ available: 2 })],
        ["the old revision is there", statusOf({ currentRevision: "z" })],
        ["the pods are not seen yet", {}, [podOf(0), podOf(1)]],
        ["a pod is of the old revision", {}, [podOf(0, { revision: "z" }), podOf(1), podOf(2)]],
        ["a pod is not ready", {}, [podOf(0), unready(1), podOf(2)]],
        ["a pod terminates", {}, [podOf(0), podOf(1), podOf(2, { isTerminating: true })]],
        ["it is to have fewer", { replicas: 2 }],
      ] as readonly (readonly [string, Partial<SeenObject>, (readonly SeenPod[])?])[]
    ).map(([why, changes, pods = three]) => [why, changes, pods]),
  )("is not where %s", (_, changes, pods) => {
    expect(proven(changes, pods)).toBe(false);
  });

  test("is not without a revision", () => {
    expect(proven({}, three, "")).toBe(false);
  });

  test("with a partition is proven by the pods above it", () => {
    const status = statusOf({ updated: 1, updateRevision: "b", currentRevision: "a" });
    const above = [unready(0), podOf(1), podOf(2, { revision: "b" })];
    expect(proven({ ...split(2), ...status }, above, "b")).toBe(true);
    expect(proven({ ...split(1), ...status }, above, "b")).toBe(false);
    expect(proven({ ...split(2), ...statusOf({ updated: 0 }) }, above, "b")).toBe(false);
    const from10 = [podOf(10), podOf(11), podOf(12, { revision: "b" })];
    expect(proven({ ...split(2), ...status, firstOrdinal: 10 }, from10, "b")).toBe(true);
  });
});

describe("a Deployment", () => {
  const proven = (changes: Partial<SeenObject>, pods: readonly SeenPod[] = three): boolean =>
    isProven("Deployment", objectOf(changes), { pods, revision: "a" });

  test("is proven by its counts and its ReplicaSets' pods", () => {
    expect(proven({})).toBe(true);
    expect(proven(statusOf({ terminating: 1 }))).toBe(false);
    expect(proven(statusOf({ available: 2 }))).toBe(false);
    expect(proven({}, [...three, podOf(3, { revision: "z", isTerminating: true })])).toBe(false);
  });
});

test("progress rises with new pods and with those that are ready", () => {
  const of = (...pods: readonly SeenPod[]): number => progressOf({ pods, revision: "a" });
  expect([of(), of(unready(0)), of(podOf(0)), of(podOf(0), unready(1))]).toEqual([0, 1, 2, 3]);
  expect(of(podOf(0, { revision: "z" }), podOf(1, { isTerminating: true }))).toBe(0);
});

test("a pod of the new revision that was never ready is a rise, whatever the counts say", () => {
  const [old, made] = [podOf(0, { revision: "z" }), podOf(1)];
  const own = { pods: [old, made], revision: "a" };
  expect(isFirstReady(own, new Set())).toBe(true);
  expect(isFirstReady(own, readyOnce(new Set(), [old]))).toBe(true);
  const ready = readyOnce(new Set(), own.pods);
  expect(isFirstReady(own, ready)).toBe(false);
  // It has crashed, and is ready again.
  expect(isFirstReady(own, readyOnce(ready, [old, unready(1)]))).toBe(false);
  expect(isFirstReady(own, readyOnce(ready, [old]))).toBe(true);
});
