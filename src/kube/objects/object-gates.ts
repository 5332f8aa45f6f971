import { alternatingGate } from "../../rules/decide/alternating-gate.ts";
import type { LetThrough, Refusal } from "../../rules/decide/gate-answer.ts";
import { firstOf, type Exchange, type Gate, type Situation } from "../../rules/decide/gate.ts";
import type { Lift } from "../../rules/decide/common-lift.ts";
import { backoffGate, holdGate, operatorGate, rejectedGate } from "../../rules/decide/held-and-rejected-gates.ts";
import { directionGate } from "../../rules/decide/downgrade-gate.ts";
import { askedGate, blackoutGate, clockGate, criticalGate, scheduleGate } from "../../rules/decide/time-gates.ts";
import { compareVersions, type Version } from "../../rules/version/version.ts";
import { printInstant } from "../../rules/window/instant.ts";
import type { StayReason } from "./object-decision.ts";
import type { ObjectMemory, ObjectPolicy } from "./object-facts.ts";
import { referenceOf, type ObjectLift, type RetryOf } from "./object-lift.ts";
import type { Member } from "./member.ts";
import type { Standing } from "./move-memory.ts";
import { imageIn, isObserved, type SeenObject } from "./seen.ts";
import { hasWon } from "./tool-reset.ts";
import { byWhom, whoSetImage } from "./who-set-image.ts";

/** The input of an object's gates: what hosts have too, and what only objects have. */
export type ObjectCase = Situation & {
  readonly object: SeenObject;
  readonly policy: ObjectPolicy;
  readonly memory: ObjectMemory;
  readonly all: readonly Member[];
  readonly target: Exchange;
};

export type SaidToStay = Omit<Refusal<StayReason>, "lift"> & { readonly lift: Lift | ObjectLift | RetryOf };

export type Said = SaidToStay | LetThrough;

type ObjectGate = Gate<ObjectCase, Said>;

/** Gates after row 4 also hold for a critical update. The others follow ARCHITECTURE's gate table, without the rows that only hosts have. */
const gates: readonly ObjectGate[] = [
  ({ object, policy }) => leftToOthers(object, policy.mode),
  resetGate,
  ({ object }) => notRolling(object),
  rollingGate,
  ({ memory }) => unreadable(memory),
  operatorGate,
  holdGate,
  setBackGate,
  rejectedGate,
  rejectedElsewhereGate,
  backoffGate,
  directionGate,
  alternatingGate,
  askedGate,
  criticalGate,
  clockGate,
  blackoutGate,
];

/** The first gate that answers decides. */
export function passObjectGates(one: ObjectCase): Said {
  return firstOf(gates, scheduleGate, one);
}

/** Runs before row 1 of the gate table. */
export function suspended({ skip }: SeenObject): SaidToStay | undefined {
  if (skip !== "true") return undefined;
  return { kind: "stay", why: "suspended", told: 'svc.dev/skipreconcile is "true"', lift: "resume updates" };
}

/** Finds a value that people probably meant to suspend the object, but that does not. */
export function slipOf({ skip }: SeenObject): string | undefined {
  const isMeant = skip !== undefined && skip !== "true" && /^(?:true|t|yes|y|1|on)$/i.test(skip.trim());
  return isMeant ? `svc.dev/skipreconcile is "${skip.trim()}", which suspends nothing: only "true" does` : undefined;
}

/** Stays if somebody else sets the object's image. */
export function leftToOthers({ gitOps }: SeenObject, mode: ObjectPolicy["mode"]): SaidToStay | undefined {
  if (mode === "update" || (mode === "auto" && gitOps === undefined)) return undefined;
  const told = gitOps === undefined ? "mode: report leaves the image to others" : `a GitOps tool owns the object (${gitOps})`;
  return { kind: "stay", why: "gitops", told, lift: "let it be updated" };
}

/** Stays if a tool resets the image again and again: otherwise both would change it for ever. */
function resetGate({ memory: { standing }, target: { to } }: ObjectCase): Said | undefined {
  return hasWon(standing, to) ? leftToTool(standing, to) : undefined;
}

export function leftToTool({ last }: Standing, version: Version): SaidToStay {
  const why = last?.outcome === "reset" ? `: ${last.why}` : "";
  return {
    kind: "stay",
    why: "gitops",
    told: `a tool has undone the move to or from ${version} three times${why}`,
    lift: "retry",
  };
}

/** Stays if a change of the template would reach no pod. */
export function notRolling({ strategy, replicas }: SeenObject): SaidToStay | undefined {
  const stay = (told: string, lift: ObjectLift): SaidToStay => ({ kind: "stay", why: "not-rolling", told, lift });
  if (strategy.isPaused) return stay("its rollouts are paused", "resume rollouts");
  if (strategy.type === "OnDelete") return stay("its update strategy is OnDelete: pods keep their image", "update by rolling");
  if (strategy.partition > 0 && strategy.partition >= replicas) {
    const told = `its partition ${strategy.partition} keeps all ${replicas} replicas as they are`;
    return stay(told, "lower the partition");
  }
  return undefined;
}

/** Stays during a rollout: this updater is moving nothing, so somebody else began it. */
function rollingGate({ object, memory, policy }: ObjectCase): Said | undefined {
  // A decision that needs a person does not end by itself.
  if (memory.standing.needsOperator !== undefined || isOurs(memory.standing, object, policy)) return undefined;
  const told = rolloutIn(object);
  return told === undefined ? undefined : { kind: "stay", why: "rolling", told, lift: "the rollout ends" };
}

/** Whether this updater began the rollout, and left it unproven for another version. */
function isOurs({ last }: Standing, object: SeenObject, { object: { container } }: ObjectPolicy): boolean {
  return last?.outcome === "unproven" && imageIn(object, container) === last.image;
}

/** A move waits while pods are unwell, because nobody could see its effect. A person can ask for it all the same. */
export function waitsForPods({ object, facts, policy, memory }: ObjectCase): SaidToStay | undefined {
  if (object.status.available >= object.replicas || facts.isIll || policy.asked.when === "now") return undefined;
  const until = (memory.unhealthySince ?? facts.now) + policy.unhealthySeconds;
  const told = `not all of its pods are ready; they are waited for until ${printInstant(until)}`;
  return { kind: "stay", why: "rolling", told, until, lift: "the rollout ends" };
}

function rolloutIn(object: SeenObject): string | undefined {
  const { replicas, strategy, status } = object;
  if (!isObserved(object)) return "its controller has not seen its last change yet";
  // With a partition, some pods keep the old revision for good.
  const isBetween =
    strategy.partition === 0 && (status.updateRevision !== status.currentRevision || status.replicas > status.updated);
  const isOnItsWay = isBetween || (status.updated < replicas - strategy.partition && !isBroughtUp(status));
  // The text has no counts: each would be a new decision to report.
  return isOnItsWay ? "a rollout is under way" : undefined;
}

/** Whether a StatefulSet is starting for the first time: it makes each pod once the one before is ready. If the first stays ill, no more come. */
function isBroughtUp({ currentRevision, updateRevision, replicas, updated }: SeenObject["status"]): boolean {
  return updateRevision !== "" && updateRevision === currentRevision && replicas === updated;
}

export function unreadable({ unreadable: told }: Pick<ObjectMemory, "unreadable">): SaidToStay | undefined {
  return told === undefined ? undefined : { kind: "stay", why: "needs-operator", told, lift: "remove the record" };
}

/** Rejects a version that failed at any object of this updater by its own fault. A version that a person rolled back does not count. */
function rejectedElsewhereGate({ all, target, policy }: ObjectCase): Said | undefined {
  const self = referenceOf(policy.object);
  for (const { reference, known } of all) {
    if (known === undefined || known.standing.rejected.length === 0 || reference === self) continue;
    const found = known.standing.rejected.find(({ served, isAsked }) => served === target.to && isAsked !== true);
    if (found === undefined) continue;
    const told = `${found.artifact} was rejected at ${reference} on ${printInstant(found.at)}: ${found.why}`;
    return { kind: "stay", why: "rejected", told, lift: { retryOf: reference } };
  }
  return undefined;
}

/**
 * An image older than the last proven or accepted move is a person's rollback, so the object stays. A version newer than that move's ends the stay.
 */
function setBackGate({ object, policy, memory: { standing }, target }: ObjectCase): Said | undefined {
  const { last } = standing;
  if (last?.outcome !== "proven" && last?.outcome !== "overtaken") return undefined;
  const { container } = policy.object;
  const image = imageIn(object, container);
  if (image === last.image || compareVersions(target.from, last.to) > 0 || compareVersions(target.to, last.to) > 0)
    return undefined;
  const who = whoSetImage(object, container);
  // noteReset records what tools change.
  if (who.kind === "tool") return undefined;
  const left = last.outcome === "proven" ? `after ${last.to} was proven` : `during the move to ${last.to}`;
  return {
    kind: "stay",
    why: "set-back",
    told: `the image was set to ${image} ${left}${byWhom(who)}`,
    lift: "retry",
  };
}
