import { describe, expect, test } from "vitest";
import type { WatchedPod } from "../../../src/kube/objects/watched-pods.ts";
import { isProven, progressOf } from "../../../src/kube/objects/proof.ts";
import type { SeenObject } from "../../../src/kube/objects/seen.ts";
import { objectOf, podOf, statusOf, unready } from "./given.ts";

const three = [podOf(0), podOf(1), podOf(2)];
const split = (partition: number): Pick<SeenObject, "strategy"> => ({
  strategy: { type: "RollingUpdate", partition, isPaused: false },
});

describe("a StatefulSet", () => {
  const proven = (changes: Partial<SeenObject>, pods: readonly WatchedPod[] = three, revision = "a"): boolean =>
    isProven("StatefulSet", objectOf(changes), { pods, revision });

  test("is proven by its counts and its pods", () => {
    expect(proven({})).toBe(true);
    expect(proven({ replicas: 0, ...statusOf({ replicas: 0, updated: 0, ready: 0, available: 0 }) }, [])).toBe(true);
  });

  test.each<readonly [string, Partial<SeenObject>, readonly WatchedPod[]]>(
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
      ] as readonly (readonly [string, Partial<SeenObject>, (readonly WatchedPod[])?])[]
    ).map(([why, changes, pods = three]) => [why, changes, pods]),
  )("is not where %s", (_, changes, pods) => {
    expect(proven(changes, pods)).toBe(false);
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
  const proven = (changes: Partial<SeenObject>, pods: readonly WatchedPod[] = three): boolean =>
    isProven("Deployment", objectOf(changes), { pods, revision: "a" });

  test("is proven by its counts and its ReplicaSets' pods", () => {
    expect(proven({})).toBe(true);
    expect(proven(statusOf({ terminating: 1 }))).toBe(false);
    expect(proven(statusOf({ available: 2 }))).toBe(false);
    expect(proven({}, [...three, podOf(3, { revision: "z", isTerminating: true })])).toBe(false);
  });
});

test("progress rises with new pods and with those that are ready", () => {
  const of = (...pods: readonly WatchedPod[]): number => progressOf({ pods, revision: "a" });
  expect([of(), of(unready(0)), of(podOf(0)), of(podOf(0), unready(1))]).toEqual([0, 1, 2, 3]);
  expect(of(podOf(0, { revision: "z" }), podOf(1, { isTerminating: true }))).toBe(0);
});
