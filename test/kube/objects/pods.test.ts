import { describe, expect, test } from "vitest";
import { indexOf, ownPods, readPod, readReplicaSet, type SeenReplicaSet } from "../../../src/kube/objects/pods.ts";
import { objectOf, podOf, statusOf } from "./given.ts";

const owner = { uid: "set", controller: true };
const named = { name: "agent-0", uid: "1", resourceVersion: "5" };

describe("a pod", () => {
  test("that was just made says little", () => {
    expect(readPod({ metadata: named })).toEqual({
      kind: "read",
      value: {
        ...named,
        owner: "",
        revision: "",
        isTerminating: false,
        isOver: false,
        isScheduled: false,
        areContainersReady: false,
        isReady: false,
        containers: [],
      },
    });
  });

  test("that runs says much", () => {
    const found = readPod({
      metadata: {
        ...named,
        deletionTimestamp: "2026-11-20T02:10:00Z",
        ownerReferences: [{ uid: "other" }, owner],
        labels: { "controller-revision-hash": "agent-7" },
      },
      status: {
        conditions: [
          { type: "PodScheduled", status: "True" },
          { type: "ContainersReady", status: "True" },
          { type: "Ready", status: "False" },
        ],
        containerStatuses: [
          { name: "svc", ready: true, state: { running: {} } },
          { name: "a", restartCount: 2, state: { waiting: { reason: "CrashLoopBackOff" } } },
          { name: "b", state: { terminated: {} } },
          { name: "c" },
        ],
      },
    });
    expect(found).toMatchObject({
      value: {
        owner: "set",
        revision: "agent-7",
        isTerminating: true,
        isScheduled: true,
        areContainersReady: true,
        isReady: false,
        containers: [
          { name: "svc", isReady: true, isRunning: true, waits: "", hasEnded: false },
          { name: "a", isReady: false, isRunning: false, waits: "CrashLoopBackOff", hasEnded: true },
          { name: "b", isReady: false, isRunning: false, waits: "", hasEnded: true },
          { name: "c", isReady: false, isRunning: false, waits: "", hasEnded: false },
        ],
      },
    });
  });

  test.each(["Failed", "Succeeded"])("that is %s is over", (phase) => {
    expect(readPod({ metadata: named, status: { phase } })).toMatchObject({ value: { isOver: true } });
  });

  test("of a Deployment has its ReplicaSet's hash", () => {
    const found = readPod({ metadata: { ...named, labels: { "pod-template-hash": "5c" } } });
    expect(found).toMatchObject({ value: { revision: "5c" } });
  });

  test("is nothing else", () => {
    expect(readPod({})).toMatchObject({ kind: "unreadable" });
  });
});

describe("a ReplicaSet", () => {
  test("says which rollout it belongs to", () => {
    const annotations = { "deployment.kubernetes.io/revision": "3" };
    const metadata = { uid: "1", ownerReferences: [owner], annotations, labels: { "pod-template-hash": "5c" } };
    expect(readReplicaSet({ metadata })).toEqual({
      kind: "read",
      value: { uid: "1", owner: "set", rolloutNumber: "3", revision: "5c" },
    });
  });

  test("may be anybody's", () => {
    expect(readReplicaSet({ metadata: { uid: "1" } })).toMatchObject({ value: { owner: "", rolloutNumber: "", revision: "" } });
    expect(readReplicaSet({})).toMatchObject({ kind: "unreadable" });
  });
});

describe("an object's own pods", () => {
  const other = podOf(0, { uid: "x", owner: "another", name: "other-0" });

  test("are those that it owns", () => {
    const own = ownPods(
      objectOf(statusOf({ updateRevision: "b" })),
      [podOf(1), other, podOf(2, { isOver: true }), podOf(0)],
      undefined,
    );
    expect(own.revision).toBe("b");
    expect(own.pods.map(({ name }) => name)).toEqual(["agent-0", "agent-1"]);
  });

  test("are those of a Deployment's ReplicaSets, the newest of which bears its number", () => {
    const set = (uid: string, changes: Partial<SeenReplicaSet>): SeenReplicaSet => ({
      uid,
      owner: "11aa",
      rolloutNumber: "1",
      revision: uid,
      ...changes,
    });
    const sets = [set("old", {}), set("new", { rolloutNumber: "2" }), set("foreign", { owner: "another", rolloutNumber: "2" })];
    const pods = [podOf(0, { owner: "old" }), podOf(1, { owner: "new" }), podOf(2, { owner: "foreign" })];
    const own = ownPods(objectOf({ rolloutNumber: "2" }), pods, sets);
    expect(own.revision).toBe("new");
    expect(own.pods.map(({ name }) => name)).toEqual(["agent-0", "agent-1"]);
    expect(ownPods(objectOf({ rolloutNumber: "3" }), pods, sets).revision).toBe("");
  });
});

test("a pod's index counts from its set's first ordinal", () => {
  expect(indexOf({ name: "agent-2-7" }, { firstOrdinal: 5 })).toBe(2);
  expect(indexOf({ name: "agent-x" }, { firstOrdinal: 0 })).toBe(0);
});
