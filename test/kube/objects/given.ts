import { nothingHeard } from "../../../src/rules/channel/heard.ts";
import type { ObjectFacts, ObjectMemory, ObjectPolicy } from "../../../src/kube/objects/object-facts.ts";
import { parseTagRule, type TagRule } from "../../../src/kube/objects/image.ts";
import { nothingStands } from "../../../src/kube/objects/move-memory.ts";
import type { SeenPod, SeenPodContainer } from "../../../src/kube/objects/pods.ts";
import { watchPods, type WatchedPod } from "../../../src/kube/objects/watched-pods.ts";
import type { SeenObject } from "../../../src/kube/objects/seen.ts";
import type { UnixSeconds } from "../../../src/rules/window/window.ts";
import { serves } from "../../updater/plan/given.ts";
import { version } from "../../rules/version/given.ts";

/** Friday 2026-11-20, 02:10 UTC: ten minutes into the window of the given schedule. */
export const now: UnixSeconds = 1_795_140_600;

export function tagRule(text: string): TagRule {
  return parseTagRule(text)!;
}

export const noMemory: ObjectMemory = {
  unreadable: undefined,
  heard: nothingHeard,
  unhealthySince: undefined,
  standing: nothingStands,
};

/** Three pods of 15.4.5, all of them well. */
export function objectOf(changes: Partial<SeenObject> = {}): SeenObject {
  return {
    uid: "11aa",
    resourceVersion: "7",
    generation: 2,
    containers: [
      { name: "svc", image: "registry.example:5000/svc:15.4.5" },
      { name: "logs", image: "logs:1" },
    ],
    replicas: 3,
    strategy: { type: "RollingUpdate", partition: 0, isPaused: false },
    firstOrdinal: 0,
    minReadySeconds: 0,
    patienceSeconds: 0,
    status: {
      observedGeneration: 2,
      replicas: 3,
      updated: 3,
      ready: 3,
      available: 3,
      terminating: 0,
      currentRevision: "a",
      updateRevision: "a",
      notMade: "",
    },
    rolloutNumber: "",
    hasAnnotations: false,
    skip: undefined,
    trigger: undefined,
    asks: { runNow: undefined, retry: undefined, rollback: undefined },
    instead: { container: undefined, channel: undefined },
    gitOps: undefined,
    imageSetters: [],
    ownEntry: undefined,
    ...changes,
  };
}

export function statusOf(changes: Partial<SeenObject["status"]>): Pick<SeenObject, "status"> {
  return { status: { ...objectOf().status, ...changes } };
}

export const defaultPolicy: ObjectPolicy = {
  object: { namespace: "agents", kind: "StatefulSet", name: "agent", container: "svc" },
  entry: "object",
  tag: tagRule("{version}"),
  mode: "auto",
  scheduleSecret: "release-shared-state",
  unhealthySeconds: 600,
  asked: { when: "timer" },
  hold: undefined,
  pin: undefined,
  window: undefined,
  blackouts: [],
  unscheduled: "rescue",
  downgrade: "refuse",
  major: "any",
  moveTakes: { atLeastSeconds: 600, atMostSeconds: 2700 },
  isOfChart: false,
};

const defaultFacts: ObjectFacts = {
  now,
  clock: { kind: "plausible" },
  object: objectOf(),
  answer: serves(version("15.4.6")),
  schedule: { kind: "windows", windows: [{ start: now - 600, stop: now + 3000 }] },
  memory: noMemory,
  all: [],
};

/** 15.4.6 is served, the window is open, and nothing speaks against it. */
export function given(
  facts: Partial<ObjectFacts> = {},
  policy: Partial<ObjectPolicy> = {},
): readonly [facts: ObjectFacts, policy: ObjectPolicy] {
  return [
    { ...defaultFacts, ...facts },
    { ...defaultPolicy, ...policy },
  ];
}

/** A pod of the given StatefulSet that is well, as it was seen before any time of a test. */
export function podOf(ordinal: number, changes: Partial<SeenPod> = {}): WatchedPod {
  const pod: SeenPod = {
    name: `agent-${ordinal}`,
    uid: `pod-${ordinal}`,
    resourceVersion: "1",
    owner: "11aa",
    revision: "a",
    isTerminating: false,
    isOver: false,
    isScheduled: true,
    areContainersReady: true,
    isReady: true,
    containers: [containerOf({})],
    ...changes,
  };
  return seenAt(0, pod)[0]!;
}

/** As they are where they were seen first at that time. */
export function seenAt(at: UnixSeconds, ...pods: readonly SeenPod[]): readonly WatchedPod[] {
  return watchPods({ pods, revision: "" }, undefined, { now: at, object: { minReadySeconds: 0 }, container: "svc" }).pods;
}

export function containerOf(changes: Partial<SeenPodContainer>): SeenPodContainer {
  return { name: "svc", isReady: true, isRunning: true, waits: "", hasEnded: false, ...changes };
}

/** A pod whose container runs and is not ready. */
export function unready(ordinal: number, changes: Partial<SeenPod> = {}): WatchedPod {
  const ill = { areContainersReady: false, isReady: false, containers: [containerOf({ isReady: false })] };
  return podOf(ordinal, { ...ill, ...changes });
}
