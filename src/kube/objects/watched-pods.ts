import type { UnixSeconds } from "../../rules/window/window.ts";
import type { OwnPods, SeenPod } from "./pods.ts";
import type { SeenObject } from "./seen.ts";

/** A pod, and what this process has seen of it without a gap. */
export type WatchedPod = SeenPod & {
  /** Since when it has been ready, and when it was first ready; 0 if before the first look. */
  readonly readySince: UnixSeconds | undefined;
  readonly firstReady: UnixSeconds | undefined;
  /** Undefined if the pod is available. A pod that has been ready for less than `minReadySeconds` is still ill. */
  readonly ill: Illness | undefined;
};

export type Illness = {
  readonly since: UnixSeconds;
  /** The pod's last state in which it was not ready. */
  readonly trouble: PodTrouble;
  readonly troubleSince: UnixSeconds;
  /** Whether its node waits longer each time before it restarts the container. */
  readonly isBackedOff: boolean;
};

export type PodTrouble = "crashed" | "unready" | "not-pulled" | "not-scheduled" | "not-started" | "other-container" | "node";

type Watching = {
  readonly now: UnixSeconds;
  readonly object: Pick<SeenObject, "minReadySeconds">;
  readonly container: string;
};

/** `before` is what the last look returned; undefined at the first look. */
export function watchPods(own: OwnPods, before: readonly WatchedPod[] | undefined, watching: Watching): OwnPods<WatchedPod> {
  const were = new Map(before?.map((pod) => [pod.uid, pod]));
  const unseen = before === undefined ? 0 : watching.now;
  return { ...own, pods: own.pods.map((pod) => watchOn(pod, { was: were.get(pod.uid), unseen, ...watching })) };
}

type Seen = Watching & { readonly was: WatchedPod | undefined; readonly unseen: UnixSeconds };

/** A clock that was set back must not make a pod wait longer. */
function watchOn(pod: SeenPod, { was, unseen, now, object, container }: Seen): WatchedPod {
  const readySince = pod.isReady ? Math.min(was?.readySince ?? unseen, now) : undefined;
  const firstReady = was?.firstReady === undefined ? readySince : Math.min(was.firstReady, now);
  const isAvailable = readySince !== undefined && now - readySince >= object.minReadySeconds;
  const trouble = pod.isReady ? (was?.ill?.trouble ?? "unready") : troubleOf(pod, container);
  const since = Math.min(was?.ill?.since ?? now, now);
  const troubleSince = was?.ill?.trouble === trouble ? Math.min(was.ill.troubleSince, now) : now;
  const isBackedOff = pod.containers.some(({ name, waits }) => name === container && waits === "CrashLoopBackOff");
  return { ...pod, readySince, firstReady, ill: isAvailable ? undefined : { since, trouble, troubleSince, isBackedOff } };
}

function troubleOf({ isScheduled, areContainersReady, containers }: SeenPod, name: string): PodTrouble {
  if (areContainersReady) return "node";
  const ours = containers.find((one) => one.name === name);
  if (ours === undefined) return isScheduled ? "not-started" : "not-scheduled";
  if (ours.isReady) return "other-container";
  if (/image/i.test(ours.waits)) return "not-pulled";
  if (ours.waits === "CrashLoopBackOff" || ours.hasEnded) return "crashed";
  return ours.isRunning ? "unready" : "not-started";
}

/** The time since which all restarted pods are ready; 0 if none was restarted. */
export function readyAgainSince(pods: readonly WatchedPod[], container: string): UnixSeconds {
  const again = pods.filter(({ containers }) => containers.some(({ name, hasEnded }) => name === container && hasEnded));
  return Math.max(0, ...again.map(({ readySince }) => readySince ?? Infinity));
}
