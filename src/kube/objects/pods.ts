import { decodeValue, type Reading } from "../../rules/shape/read.ts";
import { count, listOf, maybe, object, orElse, record, text, truth, word } from "../../rules/shape/shape.ts";
import { rolloutNumberKey, type SeenObject } from "./seen.ts";

export type SeenPodContainer = {
  readonly name: string;
  readonly isReady: boolean;
  readonly isRunning: boolean;
  /** Why the container waits; empty if it does not. */
  readonly waits: string;
  /** Whether the container has ended at least once. */
  readonly hasEnded: boolean;
};

/** The part of a pod that decisions need. */
export type SeenPod = {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** The uid of its controller; empty if it has none. */
  readonly owner: string;
  /** The revision that its controller gave it: the name of a StatefulSet's revision, or the hash of a ReplicaSet's template. */
  readonly revision: string;
  readonly isTerminating: boolean;
  /** Whether the pod has ended for good. A Deployment keeps an evicted pod beside its replacement. */
  readonly isOver: boolean;
  readonly isScheduled: boolean;
  readonly areContainersReady: boolean;
  readonly isReady: boolean;
  readonly containers: readonly SeenPodContainer[];
};

/** A Deployment's ReplicaSet, which owns its pods. */
export type SeenReplicaSet = {
  readonly uid: string;
  readonly owner: string;
  readonly rolloutNumber: string;
  readonly revision: string;
};

const empty = orElse(word, "");
const annotation = orElse(text(256 * 1024), "");
const owners = orElse(listOf(record({ uid: word, controller: orElse(truth, false) }), 100), []);

const revisionLabel = "controller-revision-hash";
const hashLabel = "pod-template-hash";

const pod = record({
  metadata: record({
    name: word,
    uid: word,
    resourceVersion: word,
    deletionTimestamp: maybe(word),
    ownerReferences: owners,
    labels: maybe(record({ [revisionLabel]: empty, [hashLabel]: empty })),
  }),
  status: maybe(
    record({
      phase: empty,
      conditions: orElse(listOf(record({ type: word, status: word }), 1000), []),
      containerStatuses: orElse(
        listOf(
          record({
            name: word,
            ready: orElse(truth, false),
            restartCount: orElse(count, 0),
            state: maybe(
              record({ waiting: maybe(record({ reason: empty })), running: maybe(object), terminated: maybe(object) }),
            ),
          }),
          1000,
        ),
        [],
      ),
    }),
  ),
});

export function readPod(found: unknown): Reading<SeenPod> {
  const reading = decodeValue(found, pod, "ignored");
  if (reading.kind === "unreadable") return reading;
  const { metadata, status } = reading.value;
  const { name, uid, resourceVersion, deletionTimestamp, ownerReferences, labels } = metadata;
  const isSo = (type: string): boolean => status?.conditions.some((one) => one.type === type && one.status === "True") ?? false;
  return {
    kind: "read",
    value: {
      name,
      uid,
      resourceVersion,
      owner: controllerOf(ownerReferences),
      revision: labels?.[revisionLabel] || labels?.[hashLabel] || "",
      isTerminating: deletionTimestamp !== undefined,
      isOver: status?.phase === "Failed" || status?.phase === "Succeeded",
      isScheduled: isSo("PodScheduled"),
      areContainersReady: isSo("ContainersReady"),
      isReady: isSo("Ready"),
      containers: (status?.containerStatuses ?? []).map(({ name: container, ready, restartCount, state }) => ({
        name: container,
        isReady: ready,
        isRunning: state?.running !== undefined,
        waits: state?.waiting?.reason ?? "",
        hasEnded: restartCount > 0 || state?.terminated !== undefined,
      })),
    },
  };
}

const replicaSet = record({
  metadata: record({
    uid: word,
    ownerReferences: owners,
    annotations: maybe(record({ [rolloutNumberKey]: annotation })),
    labels: maybe(record({ [hashLabel]: empty })),
  }),
});

export function readReplicaSet(found: unknown): Reading<SeenReplicaSet> {
  const reading = decodeValue(found, replicaSet, "ignored");
  if (reading.kind === "unreadable") return reading;
  const { uid, ownerReferences, annotations, labels } = reading.value.metadata;
  const rolloutNumber = annotations?.[rolloutNumberKey] ?? "";
  return {
    kind: "read",
    value: { uid, owner: controllerOf(ownerReferences), rolloutNumber, revision: labels?.[hashLabel] ?? "" },
  };
}

function controllerOf(references: readonly { readonly uid: string; readonly controller: boolean }[]): string {
  return references.find(({ controller }) => controller)?.uid ?? "";
}

/** An object's pods. They are found by owner, because two objects may share a selector. */
export type OwnPods<Pod extends SeenPod = SeenPod> = {
  readonly pods: readonly Pod[];
  /** The revision of new pods; empty until the controller has named it. */
  readonly revision: string;
};

export function ownPods(
  { uid, status, rolloutNumber }: SeenObject,
  pods: Iterable<SeenPod>,
  /** Undefined if the object owns its pods itself. */
  replicaSets: Iterable<SeenReplicaSet> | undefined,
): OwnPods {
  if (replicaSets === undefined) return { pods: ownedBy([uid], pods), revision: status.updateRevision };
  const sets = [...replicaSets].filter(({ owner }) => owner === uid);
  const newest = sets.find((one) => one.rolloutNumber === rolloutNumber);
  return {
    pods: ownedBy(
      sets.map((one) => one.uid),
      pods,
    ),
    revision: newest?.revision ?? "",
  };
}

function ownedBy(uids: readonly string[], pods: Iterable<SeenPod>): readonly SeenPod[] {
  return [...pods]
    .filter(({ owner, isOver }) => uids.includes(owner) && !isOver)
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

/** A pod's index in its set; the first is 0. */
export function indexOf({ name }: Pick<SeenPod, "name">, { firstOrdinal }: Pick<SeenObject, "firstOrdinal">): number {
  return Number(/\d+$/.exec(name)?.[0] ?? 0) - firstOrdinal;
}
