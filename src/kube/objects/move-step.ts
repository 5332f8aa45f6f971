import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Version } from "../../rules/version/version.ts";
import type { Operation } from "./image-patch.ts";
import { moveSteps, type Ended, type MoveInHand, type Standing } from "./move-memory.ts";
import type { ObjectName } from "./object-facts.ts";
import type { SaidToStay } from "./object-gates.ts";
import type { ObjectLift } from "./object-lift.ts";
import { indexOf, type OwnPods, type SeenPod } from "./pods.ts";
import { hasRisen, isAsked, progressOf } from "./proof.ts";
import { isObserved, type SeenObject } from "./seen.ts";
import type { Illness, WatchedPod } from "./watched-pods.ts";

export type MovingStanding = Standing & { readonly move: MoveInHand };

/** The sight of an object whose move is in hand. */
export type MoveSight = {
  readonly now: UnixSeconds;
  readonly object: SeenObject;
  readonly own: OwnPods<WatchedPod>;
  readonly isServerAway: boolean;
  /** The served or the pinned version. */
  readonly wanted: Version | undefined;
  /** Since when this process has watched the object without a gap. */
  readonly seenSince: UnixSeconds;
  /** Until when only causes for which no version is blamed delayed the rollout. */
  readonly excusedAt: UnixSeconds;
};

export type MovePolicy = {
  readonly object: ObjectName;
  /** A rollout without progress for this long has a fault. */
  readonly healthSeconds: number;
  /** All pods have to stay well for this long. */
  readonly settleSeconds: number;
  /** A stuck pod is deleted after this. */
  readonly freeSeconds: number;
};

/** A change in the cluster. It is made after the record is written. */
export type Change =
  | { readonly kind: "patch"; readonly operations: readonly Operation[] }
  | { readonly kind: "delete"; readonly pod: SeenPod };

export type Advance = {
  readonly standing: Standing;
  /** Undefined if the move is over and the next decision is due. */
  readonly said: SaidToStay | undefined;
  readonly change?: Change;
  /** When to look again, whatever happens. */
  readonly until?: UnixSeconds;
};

/** The input of one step. `move` may be further than the move recorded in `standing`. */
export type Stepping = {
  readonly standing: MovingStanding;
  readonly move: MoveInHand;
  readonly sight: MoveSight;
  readonly policy: MovePolicy;
};

/** The longest time between two looks during a move. */
const againSeconds = 60;

type Waiting = { readonly stay?: SaidToStay | undefined; readonly until?: UnixSeconds };

export function wait({ standing, sight }: Stepping, move: MoveInHand, { stay, until }: Waiting = {}): Advance {
  const { now, object, own } = sight;
  // Looks again when a ready pod becomes available: no event reports that.
  const soon = own.pods.flatMap(({ ill, readySince }) => (ill && readySince ? [readySince + object.minReadySeconds] : []));
  // Looks at once if this look changed the step: the next step waits only for the record.
  const soonest = move.step === standing.move.step ? Math.min(until ?? Infinity, now + againSeconds, ...soon) : now;
  return { standing: { ...standing, move }, said: stay ?? inWords(move), until: soonest };
}

function inWords({ step, from, to, cause, trouble }: MoveInHand): SaidToStay {
  const tail = trouble === undefined ? "" : `; the last try: ${trouble}`;
  if (cause === undefined) return said("moving", `${from} -> ${to}: ${moveSteps[step]}${tail}`, "time");
  return said("going-back", `${to} is taken back to ${from}: ${cause}; ${moveSteps[step]}${tail}`, "time");
}

export function said(why: "moving" | "going-back" | "still-unhealthy", told: string, lift: ObjectLift): SaidToStay {
  return { kind: "stay", why, told, lift };
}

export function at(move: MoveInHand, step: MoveInHand["step"], now: UnixSeconds): MoveInHand {
  return { ...move, step, since: now, trouble: undefined };
}

/** The move after its image was set. An admission webhook may have written another image than we asked for. */
export function imageChanged(move: MoveInHand, image: string, now: UnixSeconds): MoveInHand {
  const progress = { count: 0, at: now };
  return move.step === "going-back"
    ? { ...at(move, "returning", now), progress, imageBefore: image }
    : { ...at(move, "patched", now), progress, image };
}

/** The move in the same step, with its new progress. */
export function onward({ move, sight }: Stepping): MoveInHand {
  const { now, own } = sight;
  const count = progressOf(own);
  const isNearer = hasRisen(own, now) || count > move.progress.count || now < move.progress.at;
  return { ...move, trouble: undefined, progress: isNearer ? { count, at: now } : move.progress };
}

/** The seconds without progress. Unseen time does not count: the API server was away, and nobody could report ready pods. */
export function withoutProgress({ progress }: MoveInHand, { now, seenSince }: MoveSight): number {
  return now - Math.max(progress.at, seenSince);
}

/** Shows why a deletion failed until one succeeds. */
export function freed(stepping: Stepping, move: MoveInHand, pod: SeenPod): Advance {
  return { ...wait(stepping, { ...move, trouble: stepping.move.trouble, freeing: pod.uid }), change: { kind: "delete", pod } };
}

type IllPod = WatchedPod & { readonly ill: Illness };

/** The unavailable pods from the lowest up, in a StatefulSet that replaces pods by itself. Empty while a pod is ending. */
export function illIn({ sight: { object, own }, policy }: Stepping): readonly IllPod[] {
  const { strategy, replicas } = object;
  if (policy.object.kind !== "StatefulSet" || strategy.type !== "RollingUpdate") return [];
  if (!isObserved(object) || own.pods.some(({ isTerminating }) => isTerminating)) return [];
  return own.pods
    .filter((pod): pod is IllPod => pod.ill !== undefined && indexOf(pod, object) < replicas)
    .toSorted((left, right) => indexOf(left, object) - indexOf(right, object));
}

/** How long this process has seen the pod unavailable, in seconds. */
export function secondsIll({ now }: MoveSight, { ill }: IllPod): number {
  return now - ill.since;
}

export function drop(standing: MovingStanding): Advance {
  return { standing: { ...standing, move: undefined }, said: undefined };
}

export function end({ standing, move, sight }: Stepping, outcome: Ended["outcome"]): Advance {
  const { from, to, imageBefore, image, digest, cause } = move;
  const isProved = outcome === "proven";
  const why = isProved ? leftBelow(sight) : cause;
  const last: Ended = { outcome, from, to, imageBefore, image, digest, at: sight.now, why };
  return {
    standing: { ...standing, move: undefined, last, backoff: isProved ? undefined : standing.backoff },
    said: undefined,
  };
}

/** Says that a partition leaves some pods unproven, which people may not expect. */
function leftBelow({ object, own: { pods, revision } }: MoveSight): string | undefined {
  const left = pods.filter((pod) => pod.revision !== revision && !isAsked(pod, object)).length;
  return left === 0
    ? undefined
    : `the partition ${object.strategy.partition} leaves ${left} of ${object.replicas} pods as they were`;
}
