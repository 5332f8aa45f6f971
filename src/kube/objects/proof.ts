import { isObserved, type ObjectKind, type SeenObject } from "./seen.ts";
import { indexOf, type OwnPods, type SeenPod } from "./pods.ts";
import type { WatchedPod } from "./watched-pods.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

/**
 * Whether all pods run the current template and are available. Counts and pods come from two watches of which one may be behind, so both must agree.
 * Pods below a StatefulSet's partition do not count.
 */
export function isProven(kind: ObjectKind, object: SeenObject, { pods, revision }: OwnPods<WatchedPod>): boolean {
  const { replicas, status } = object;
  if (!isObserved(object) || revision === "") return false;
  const areNew = pods.every((pod) => !isAsked(pod, object) || isWell(pod, revision));
  if (kind === "Deployment") return areNew && status.terminating === 0 && areAll(status, replicas, replicas);
  const { partition } = object.strategy;
  const asked = Math.max(0, replicas - partition);
  if (!areNew || pods.filter((pod) => isAsked(pod, object)).length !== asked) return false;
  if (partition > 0) return status.updated >= asked;
  return status.currentRevision === status.updateRevision && areAll(status, replicas, status.ready);
}

function areAll({ replicas, updated, available }: SeenObject["status"], wanted: number, ready: number): boolean {
  return [replicas, updated, available, ready].every((count) => count === wanted);
}

function isWell({ ill, isTerminating, revision: own }: WatchedPod, revision: string): boolean {
  return own === revision && ill === undefined && !isTerminating;
}

/** Whether a rollout should replace this pod. */
export function isAsked(pod: SeenPod, { strategy, firstOrdinal }: SeenObject): boolean {
  return indexOf(pod, { firstOrdinal }) >= strategy.partition || strategy.partition === 0;
}

/** A number that rises with each pod of the new revision, and again when it is ready. */
export function progressOf({ pods, revision }: OwnPods): number {
  const fresh = pods.filter((pod) => pod.revision === revision && !pod.isTerminating);
  return fresh.length + fresh.filter(({ isReady }) => isReady).length;
}

/** Whether a pod of the new revision became ready for the first time. Counts do not show progress while others scale or restart the object. */
export function hasRisen({ pods, revision }: OwnPods<WatchedPod>, now: UnixSeconds): boolean {
  return pods.some((pod) => pod.revision === revision && !pod.isTerminating && pod.firstReady === now);
}
