import { expect, test } from "vitest";
import type { OwnPods, SeenPod } from "../../../src/kube/objects/pods.ts";
import { hasRisen } from "../../../src/kube/objects/proof.ts";
import { readyAgainSince, watchPods, type WatchedPod } from "../../../src/kube/objects/watched-pods.ts";
import { containerOf, podOf, unready } from "./given.ts";

type Sight = readonly [at: number, ...pods: readonly SeenPod[]];

/** Undefined in place of a sight: nobody could see for a while. */
function watched(minReadySeconds: number, ...sights: readonly (Sight | undefined)[]): OwnPods<WatchedPod> {
  let own: OwnPods<WatchedPod> | undefined;
  for (const sight of sights) {
    const [now = 0, ...pods] = sight ?? [];
    const seen = { now, object: { minReadySeconds }, container: "svc" };
    own = sight && watchPods({ pods, revision: "a" }, own?.pods, seen);
  }
  return own!;
}

function illness(...rows: Parameters<typeof watched>) {
  return watched(...rows).pods.map(({ ill }) => ill && [ill.since, ill.trouble, ill.troubleSince]);
}

const crashing = unready(0, {
  containers: [containerOf({ isReady: false, isRunning: false, waits: "CrashLoopBackOff", hasEnded: true })],
});

test("a pod is ill since it was seen so, and has what it has since that was seen", () => {
  expect(illness(0, [90, unready(0)], [100, podOf(0), unready(1)])).toEqual([undefined, [100, "unready", 100]]);
  expect(illness(0, [100, unready(0)], [105, unready(0)])).toEqual([[100, "unready", 100]]);
  expect(illness(0, [100, unready(0)], [105, crashing])).toEqual([[100, "crashed", 105]]);
  // The clock was set back.
  expect(illness(0, [100, unready(0)], [95, unready(0)])).toEqual([[95, "unready", 95]]);
});

test("a pod that is ready for less than minReadySeconds goes on being ill", () => {
  const flaps = [
    [100, unready(0)],
    [110, podOf(0)],
    [130, unready(0)],
    [140, podOf(0)],
  ] as const;
  expect(illness(30, ...flaps, [169, podOf(0)])).toEqual([[100, "unready", 100]]);
  expect(illness(30, ...flaps, [170, podOf(0)])).toEqual([undefined]);
  expect(illness(30, ...flaps, [170, podOf(0)], [180, unready(0)])).toEqual([[180, "unready", 180]]);
  expect(illness(0, ...flaps)).toEqual([undefined]);
  expect(illness(30, [100, podOf(0, { isReady: false })], [110, podOf(0)])).toEqual([[100, "node", 100]]);
});

test("a pod that was ready before anybody looked is available", () => {
  expect(illness(30, [100, podOf(0)])).toEqual([undefined]);
  expect(illness(30, [100, unready(0)], [110, podOf(0)], undefined, [120, podOf(0)])).toEqual([undefined]);
  expect(illness(30, [100, unready(0)], [110, unready(0), podOf(1)])).toEqual([
    [100, "unready", 100],
    [110, "unready", 110],
  ]);
});

test("a pod of the new revision that gets ready for the first time is a rise, whatever the counts say", () => {
  const rises = (...sights: readonly Sight[]): boolean => hasRisen(watched(30, ...sights), sights.at(-1)![0]);
  expect(rises([100, podOf(0)])).toBe(false);
  expect(rises([100, unready(0)], [110, podOf(0)])).toBe(true);
  expect(rises([100, unready(0)], [110, podOf(0)], [111, podOf(0)])).toBe(false);
  expect(rises([100, unready(0)], [110, podOf(0)], [120, unready(0)], [130, podOf(0)])).toBe(false);
  expect(rises([100, unready(0)], [110, podOf(0, { revision: "z" })])).toBe(false);
  expect(rises([100], [110, podOf(0)])).toBe(true);
});

test("pods whose container has ended are ready again since the last of them is", () => {
  const again = podOf(0, { containers: [containerOf({ hasEnded: true }), containerOf({ name: "logs", hasEnded: true })] });
  const since = (...sights: readonly Sight[]): number => readyAgainSince(watched(0, ...sights).pods, "svc");
  expect(since([100, unready(0), unready(1)], [110, again, podOf(1)], [120, again, podOf(1)])).toBe(110);
  expect(since([100, crashing])).toBe(Infinity);
  expect(since([100, podOf(0, { containers: [containerOf({}), containerOf({ name: "logs", hasEnded: true })] })])).toBe(0);
});
