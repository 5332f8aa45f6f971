import { nextBackoff } from "../../rules/decide/backoff.ts";
import type { Version } from "../../rules/version/version.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { isIllByItself, judge, mayBeHelped, type Verdict } from "./blame-for-stuck-rollout.ts";
import type { Move } from "./object-decision.ts";
import type { ObjectName } from "./object-facts.ts";
import type { ObjectLift } from "./object-lift.ts";
import { notRolling, suspended, type SaidToStay } from "./object-gates.ts";
import { imagePatch, type Operation, type PatchFailure } from "./image-patch.ts";
import type { Asking } from "./people-ask.ts";
import { indexOf, type OwnPods, type SeenPod } from "./pods.ts";
import { hasRisen, isAsked, isProven, progressOf } from "./proof.ts";
import type { Illness, WatchedPod } from "./watched-pods.ts";
import { imageIn, type SeenObject } from "./seen.ts";
import { mostUnready, moveSteps, type Ended, type MoveInHand, type Standing } from "./move-memory.ts";

export type MovingStanding = Standing & { readonly move: MoveInHand };

/** What is seen of an object whose move is in hand. */
export type MoveSight = {
  readonly now: UnixSeconds;
  readonly object: SeenObject;
  readonly own: OwnPods<WatchedPod>;
  readonly isServerAway: boolean;
  /** The version that is served, or pinned. */
  readonly wanted: Version | undefined;
  /** Since when this process has seen it without a gap. */
  readonly seenSince: UnixSeconds;
  /** Until when it was held up only by what is held against no version. */
  readonly excusedAt: UnixSeconds;
};

export type MovePolicy = {
  readonly object: ObjectName;
  /** Without progress for this long something is wrong. */
  readonly healthSeconds: number;
  /** All pods have to stay well for this long. */
  readonly settleSeconds: number;
  /** A stuck pod is deleted after this. */
  readonly freeSeconds: number;
};

/** What is done once the record is written. */
export type Deed =
  | { readonly kind: "patch"; readonly operations: readonly Operation[] }
  | { readonly kind: "delete"; readonly pod: SeenPod };

export type Advance = {
  readonly standing: Standing;
  /** Undefined: the move is over, and the next decision is due. */
  readonly said: SaidToStay | undefined;
  readonly deed?: Deed;
  /** When to look again, whatever happens. */
  readonly until?: UnixSeconds;
};

/** A move in hand is looked at again after this at the latest. */
const againSeconds = 60;
/** A change that was not made by then was meant for another hour: it is decided again. */
const freshSeconds = 300;
const mostTries = 5;
/** A way back that makes no progress for this long needs a person. */
const wayBackSeconds = 3600;

/** The first step of a move, to be written before anything is done. */
export function begin(
  standing: Standing,
  { why, target }: Move,
  { now, object, own, container, tries = 0 }: Beginning,
): MovingStanding {
  const before = imageHere(object, container);
  const move: MoveInHand = {
    step: "begun",
    why,
    from: target.from,
    to: target.to,
    imageBefore: before,
    image: target.image,
    digest: target.digest,
    wasWell: object.status.available >= object.replicas || !own.pods.some(isIllByItself),
    unready: own.pods
      .filter(mayBeHelped)
      .map(({ uid }) => uid)
      .slice(0, mostUnready),
    startedAt: now,
    since: now,
    generation: object.generation,
    tries,
    revisions: [],
    progress: { count: 0, at: now },
    cause: undefined,
    trouble: undefined,
    freeing: undefined,
  };
  return { ...standing, move, rescuedFor: why === "rescue" ? target.to : standing.rescuedFor };
}

type Beginning = Asking & {
  readonly own: OwnPods<WatchedPod>;
  /** Of the same move, which was decided again. */
  readonly tries?: number;
};

/** One transition of a move in hand. Its object is the one that it began with. */
export function advance(standing: MovingStanding, sight: MoveSight, policy: MovePolicy): Advance {
  const { move } = standing;
  const { now, object } = sight;
  const held = suspended(object);
  if (held !== undefined) {
    const told = `${held.told} in the middle of a move: ${moveSteps[move.step]}`;
    return { standing: { ...standing, move: { ...move, step: restarted[move.step] } }, said: { ...held, told } };
  }
  const one = { standing, move, sight, policy };
  // What the watch shows is older than the patch.
  if (object.generation < move.generation) return wait(one, move);
  const image = imageHere(object, policy.object.container);
  const isBack = move.step === "going-back" || move.step === "returning";
  const [old, wanted] = isBack ? [move.image, move.imageBefore] : [move.imageBefore, move.image];
  const isDone = image === wanted;
  switch (move.step) {
    case "begun":
    case "going-back":
      if (isDone || (image !== old && isSameElsewhere(image, wanted))) {
        const done = { ...at(move, isBack ? "returning" : "patched", now), progress: { count: 0, at: now } };
        return wait(one, isBack ? { ...done, imageBefore: image } : { ...done, image });
      }
      if (image !== old) return isBack ? end(one, "overtaken") : drop(standing);
      // It was scaled, paused or restarted meanwhile, or its hour is over: it is decided again.
      if (!isBack && (object.generation !== move.generation || !isFresh(move, now))) return drop(standing);
      return { ...wait(one, move), deed: patchOf(one, old, wanted) };
    case "patched":
      return isDone ? patched(one) : end(one, "overtaken");
    case "rolling":
    case "settling":
      return isDone ? rolling(one) : end(one, "overtaken");
    case "returning":
      return isDone ? returning(one) : end(one, "overtaken");
  }
}

/** An admission webhook has written a mirror of it, and the answer that says so was lost. */
function isSameElsewhere(image: string, wanted: string): boolean {
  return image.split("/").at(-1) === wanted.split("/").at(-1);
}

/** Whether a change that was not made yet is still meant. */
export function isFresh({ since }: MoveInHand, now: UnixSeconds): boolean {
  return Math.abs(now - since) <= freshSeconds;
}

/** From here a move goes on that was suspended: its clock begins again. */
const restarted: Readonly<Record<MoveInHand["step"], MoveInHand["step"]>> = {
  begun: "begun",
  patched: "patched",
  rolling: "patched",
  settling: "patched",
  "going-back": "going-back",
  returning: "going-back",
};

type One = {
  readonly standing: MovingStanding;
  readonly move: MoveInHand;
  readonly sight: MoveSight;
  readonly policy: MovePolicy;
};

function patched(one: One): Advance {
  const { move, sight } = one;
  const { now, object, own } = sight;
  const stay = notRolling(object) ?? withoutReplicas(object);
  if (stay !== undefined) return wait(one, move, { stay });
  if (object.status.observedGeneration < object.generation || own.revision === "") return wait(one, move);
  const begun = { ...at(move, "rolling", now), progress: { count: progressOf(own), at: now } };
  return wait(one, withRevision(begun, sight));
}

function withoutReplicas({ replicas }: SeenObject): SaidToStay | undefined {
  return replicas > 0 ? undefined : said("moving", "it has no replicas: nothing is proven yet", "time");
}

function rolling(one: One): Advance {
  const { move, sight, policy } = one;
  const { now, object, own } = sight;
  if (notRolling(object) !== undefined || object.replicas === 0) return patched({ ...one, move: at(move, "patched", now) });
  if (isProven(policy.object.kind, object, own)) {
    if (move.step !== "settling") return wait(one, withRevision(at(move, "settling", now), sight));
    // A clock that was set back begins anew, and must not make it wait longer.
    const next = now < move.since ? at(move, "settling", now) : move;
    const until = Math.max(next.since, sight.seenSince) + policy.settleSeconds;
    return now >= until ? end(one, "proven") : wait(one, next, { until });
  }
  const count = progressOf(own);
  const isNearer = isNearerBy(count, move, sight);
  const step = move.step === "rolling" ? move : at(move, "rolling", now);
  const next = withRevision({ ...step, trouble: undefined, progress: isNearer ? { count, at: now } : move.progress }, sight);
  const stuck = stuckSinceBefore({ ...one, move: next });
  if (stuck !== undefined) return freed(one, next, stuck);
  const seconds = Math.min(withoutProgress(next, sight), now - sight.excusedAt);
  const deadline = Math.max(policy.healthSeconds, object.patienceSeconds);
  if (seconds < deadline) {
    const soon = next.unready.length > 0 ? policy.freeSeconds : deadline;
    return wait(one, next, { until: now + Math.min(deadline - seconds, soon) });
  }
  const before = move.wasWell ? "well" : "not known to be well";
  const { revisions } = next;
  const verdict = judge({ ...sight, revisions, before, seconds, deadline });
  if (verdict.kind === "wait") {
    const { wanted = move.to } = sight;
    // What was ill before may wait for ever for this version, and another one may cure it.
    const isLeft = !move.wasWell && verdict.why === "still-unhealthy" && wanted !== move.to;
    if (isLeft) return end({ ...one, move: { ...next, cause: verdict.told } }, "unproven");
    const stay = said(verdict.why, verdict.told, "the rollout ends");
    return verdict.why === "moving" ? wait(one, next, { stay, until: verdict.until }) : wait(one, next, { stay });
  }
  return goBack({ ...one, move: next }, verdict);
}

function isNearerBy(count: number, { progress }: MoveInHand, { now, own }: MoveSight): boolean {
  return hasRisen(own, now) || count > progress.count || now < progress.at;
}

/** Time that nobody has seen blames nobody: the API server was away, and kubelets could not tell it that pods are ready. */
function withoutProgress({ progress }: MoveInHand, { now, seenSince }: MoveSight): number {
  return now - Math.max(progress.at, seenSince);
}

/** Until its controller has seen the template, an object tells the revision of an earlier one. */
function withRevision(move: MoveInHand, { object, own: { revision } }: MoveSight): MoveInHand {
  const isOld = object.status.observedGeneration < object.generation;
  return isOld || revision === "" || move.revisions.includes(revision)
    ? move
    : { ...move, revisions: [...move.revisions, revision] };
}

/** What it is remembered by is written together with the step: no version is given up twice. */
function goBack(one: One, { told: why, isVersionsFault, mend }: Extract<Verdict, { kind: "back" }>): Advance {
  const { standing, move, sight } = one;
  const { now } = sight;
  const { to: served, image: artifact, digest } = move;
  const back = { ...at(move, "going-back", now), cause: why };
  const remembered: MovingStanding = isVersionsFault
    ? { ...standing, rejected: [...standing.rejected, { served, artifact, digest, at: now, why }] }
    : { ...standing, backoff: nextBackoff(standing.backoff, { served, cause: { message: why, mend } }, now) };
  return wait({ ...one, standing: remembered }, back);
}

function returning(one: One): Advance {
  const { move, sight, policy } = one;
  const { now, object, own } = sight;
  const stay = notRolling(object);
  // Where a partition keeps all pods as they are, there is none to prove anything.
  if (stay === undefined && isProven(policy.object.kind, object, own)) return end(one, "back");
  const count = progressOf(own);
  const isNearer = isNearerBy(count, move, sight);
  const next = { ...move, trouble: undefined, progress: isNearer ? { count, at: now } : move.progress };
  const stuck = stuckOnWayBack(one);
  if (stuck !== undefined) return freed(one, next, stuck);
  // A pod that is stuck by then tells nothing.
  const until = now + policy.freeSeconds;
  if (withoutProgress(next, sight) < wayBackSeconds) return wait(one, next, { stay, until });
  const why = `the way back from ${move.to} to ${move.from} makes no progress: ${stay?.told ?? "the pods do not get ready"}`;
  return { standing: { ...one.standing, move: undefined, needsOperator: { at: now, why } }, said: undefined };
}

/** Why it could not be deleted the last time is told until it is. */
function freed(one: One, move: MoveInHand, pod: SeenPod): Advance {
  return { ...wait(one, { ...move, trouble: one.move.trouble, freeing: pod.uid }), deed: { kind: "delete", pod } };
}

/**
 * A StatefulSet waits for ever for a pod of a version that was given up (kubernetes#67250). The one that is deleted is surely of that
 * version, by the record: a pod of the good version may be unready for a moment, too, and would come back no better.
 */
function stuckOnWayBack(one: One): SeenPod | undefined {
  const { move, sight } = one;
  const { own, object } = sight;
  const isGivenUp = (pod: SeenPod): boolean =>
    isAsked(pod, object) && pod.revision !== own.revision && move.revisions.includes(pod.revision);
  const ill = illIn(one);
  const highest = ill.findLastIndex(isGivenUp);
  const pod = ill[highest];
  if (pod === undefined || !ill.slice(0, highest).every(isGivenUp)) return undefined;
  return secondsIll(sight, pod) >= one.policy.freeSeconds ? pod : undefined;
}

/**
 * It waits for ever, too, for a pod of the version before that was not ready when the move began. One that was ready then is never
 * deleted, and none is while a pod of the new version is not ready.
 */
function stuckSinceBefore(one: One): SeenPod | undefined {
  const { move, sight, policy } = one;
  const ill = illIn(one);
  const wasSo = ({ revision, uid }: SeenPod): boolean => revision !== sight.own.revision && move.unready.includes(uid);
  // The set makes none above the lowest one that is not ready.
  const [lowest] = ill;
  if (lowest === undefined || !ill.every(wasSo)) return undefined;
  if (!isAsked(lowest, sight.object) || !mayBeHelped(lowest)) return undefined;
  const seconds = Math.min(secondsIll(sight, lowest), withoutProgress(move, sight));
  return seconds >= policy.freeSeconds ? lowest : undefined;
}

type IllPod = WatchedPod & { readonly ill: Illness };

/** Of a StatefulSet that replaces its pods by itself, those that are not available, from the lowest. None while one ends. */
function illIn({ sight: { object, own }, policy }: One): readonly IllPod[] {
  const { strategy, status, replicas, generation } = object;
  if (policy.object.kind !== "StatefulSet" || strategy.type !== "RollingUpdate") return [];
  if (status.observedGeneration < generation || own.pods.some(({ isTerminating }) => isTerminating)) return [];
  return own.pods
    .filter((pod): pod is IllPod => pod.ill !== undefined && indexOf(pod, object) < replicas)
    .toSorted((left, right) => indexOf(left, object) - indexOf(right, object));
}

/** For how many seconds this process sees that it is not available. */
function secondsIll({ now }: MoveSight, { ill }: IllPod): number {
  return now - ill.since;
}

/** What the API server answered to a patch. */
export type PatchAnswer = { readonly kind: "done"; readonly object: SeenObject } | PatchFailure;

/** Where a move is after its patch was answered. */
export function answered(
  standing: MovingStanding,
  answer: PatchAnswer,
  { now, container }: Pick<Asking, "now" | "container">,
): Standing {
  const { move } = standing;
  const isBack = move.step === "going-back";
  if (answer.kind === "done") {
    const { generation } = answer.object;
    // An admission webhook may have written another one.
    const image = imageHere(answer.object, container);
    const next = { ...at(move, isBack ? "returning" : "patched", now), generation, progress: { count: 0, at: now } };
    return { ...standing, move: isBack ? { ...next, imageBefore: image } : { ...next, image } };
  }
  const { kind, told } = answer;
  if (isBack || kind === "again" || kind === "gone") return { ...standing, move: { ...move, trouble: told } };
  if (kind === "changed" && move.tries < mostTries)
    return { ...standing, move: { ...move, tries: move.tries + 1, trouble: told } };
  const mend = kind === "no-right" ? ("right" as const) : undefined;
  const backoff = nextBackoff(standing.backoff, { served: move.to, cause: { message: told, mend } }, now);
  return { ...standing, move: undefined, backoff };
}

function patchOf({ sight, policy }: One, from: string, to: string): Deed {
  const { container } = policy.object;
  return { kind: "patch", operations: imagePatch(sight.object, { container, from, to }) };
}

type Waiting = { readonly stay?: SaidToStay | undefined; readonly until?: UnixSeconds };

function wait({ standing, sight }: One, move: MoveInHand, { stay, until }: Waiting = {}): Advance {
  const { now, object, own } = sight;
  // No event tells when a pod is available.
  const soon = own.pods.flatMap(({ ill, readySince }) => (ill && readySince ? [readySince + object.minReadySeconds] : []));
  // Another step is taken by the next look, once this one is written.
  const soonest = move.step === standing.move.step ? Math.min(until ?? Infinity, now + againSeconds, ...soon) : now;
  return { standing: { ...standing, move }, said: stay ?? inWords(move), until: soonest };
}

function inWords({ step, from, to, cause, trouble }: MoveInHand): SaidToStay {
  const tail = trouble === undefined ? "" : `; the last try: ${trouble}`;
  if (cause === undefined) return said("moving", `${from} -> ${to}: ${moveSteps[step]}${tail}`, "time");
  return said("going-back", `${to} is taken back to ${from}: ${cause}; ${moveSteps[step]}${tail}`, "time");
}

function said(why: "moving" | "going-back" | "still-unhealthy", told: string, lift: ObjectLift): SaidToStay {
  return { kind: "stay", why, told, lift };
}

function at(move: MoveInHand, step: MoveInHand["step"], now: UnixSeconds): MoveInHand {
  return { ...move, step, since: now, trouble: undefined };
}

function drop(standing: MovingStanding): Advance {
  return { standing: { ...standing, move: undefined }, said: undefined };
}

function end({ standing, move, sight }: One, outcome: Ended["outcome"]): Advance {
  const { from, to, imageBefore, image, digest, cause } = move;
  const isProved = outcome === "proven";
  const why = isProved ? leftBelow(sight) : cause;
  const last: Ended = { outcome, from, to, imageBefore, image, digest, at: sight.now, why };
  return {
    standing: { ...standing, move: undefined, last, backoff: isProved ? undefined : standing.backoff },
    said: undefined,
  };
}

/** What a partition keeps from the move is not proven, and not what people expect of it. */
function leftBelow({ object, own: { pods, revision } }: MoveSight): string | undefined {
  const left = pods.filter((pod) => pod.revision !== revision && !isAsked(pod, object)).length;
  return left === 0
    ? undefined
    : `the partition ${object.strategy.partition} leaves ${left} of ${object.replicas} pods as they were`;
}

function imageHere(object: SeenObject, container: string): string {
  return imageIn(object, container) ?? "";
}
