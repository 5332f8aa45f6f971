import { alternatingGate } from "../../rules/decide/alternating-gate.ts";
import type { LetThrough, Refusal } from "../../rules/decide/decision.ts";
import { firstOf, type Gate, type Situation } from "../../rules/decide/gate.ts";
import type { Lift } from "../../rules/decide/lift.ts";
import { backoffGate, holdGate, operatorGate, rejectedGate } from "../../rules/decide/held-and-rejected-gates.ts";
import { directionGate } from "../../rules/decide/downgrade-gate.ts";
import { askedGate, blackoutGate, clockGate, criticalGate, scheduleGate } from "../../rules/decide/time-gates.ts";
import type { StayReason } from "./decision.ts";
import type { ObjectPolicy } from "./facts.ts";
import type { ObjectLift } from "./lift.ts";
import type { SeenObject } from "./seen.ts";

/** What the gates of an object judge: what they have in common with hosts, and the object's own. */
export type ObjectCase = Situation & { readonly object: SeenObject; readonly policy: ObjectPolicy };

export type SaidToStay = Omit<Refusal<StayReason>, "lift"> & { readonly lift: Lift | ObjectLift };

export type Said = SaidToStay | LetThrough;

type ObjectGate = Gate<ObjectCase, Said>;

/** Those after row 4 hold for a critical update, too. The others in the order of ARCHITECTURE's gate table, where hosts' own are left out. */
const gates: readonly ObjectGate[] = [
  gitOpsGate,
  notRollingGate,
  rollingGate,
  operatorGate,
  holdGate,
  rejectedGate,
  backoffGate,
  directionGate,
  alternatingGate,
  askedGate,
  criticalGate,
  clockGate,
  blackoutGate,
];

/** The first gate that speaks wins. */
export function passObjectGates(one: ObjectCase): Said {
  return firstOf(gates, scheduleGate, one);
}

/** Before row 1. */
export function suspendedGate({ skip }: SeenObject): SaidToStay | undefined {
  if (skip !== "true") return undefined;
  return { kind: "stay", why: "suspended", told: 'svc.dev/skipreconcile is "true"', lift: "resume updates" };
}

/** A value that looks as if it were meant to suspend, and does not. */
export function slipOf({ skip }: SeenObject): string | undefined {
  const isMeant = skip !== undefined && skip !== "true" && /^(?:true|t|yes|y|1|on)$/i.test(skip.trim());
  return isMeant ? `svc.dev/skipreconcile is "${skip.trim()}", which suspends nothing: only "true" does` : undefined;
}

function gitOpsGate({ object: { gitOps }, policy: { mode } }: ObjectCase): Said | undefined {
  if (mode === "update" || (mode === "auto" && gitOps === undefined)) return undefined;
  const told = gitOps === undefined ? "mode: report leaves the image to others" : `a GitOps tool owns the object (${gitOps})`;
  return { kind: "stay", why: "gitops", told, lift: "let it be updated" };
}

function notRollingGate({ object: { strategy, replicas } }: ObjectCase): Said | undefined {
  const stay = (told: string, lift: ObjectLift): Said => ({ kind: "stay", why: "not-rolling", told, lift });
  if (strategy.isPaused) return stay("its rollouts are paused", "resume rollouts");
  if (strategy.type === "OnDelete") return stay("its update strategy is OnDelete: pods keep their image", "update by rolling");
  if (strategy.partition > 0 && strategy.partition >= replicas) {
    const told = `its partition ${strategy.partition} keeps all ${replicas} replicas as they are`;
    return stay(told, "lower the partition");
  }
  return undefined;
}

/** This updater starts no rollout yet: each is somebody else's. */
function rollingGate({ object }: ObjectCase): Said | undefined {
  const told = rolloutIn(object);
  return told === undefined ? undefined : { kind: "stay", why: "rolling", told, lift: "the rollout ends" };
}

function rolloutIn({ generation, replicas, strategy, status }: SeenObject): string | undefined {
  if (status.observedGeneration < generation) return "its controller has not seen its last change yet";
  const isOnItsWay =
    status.updated < replicas - strategy.partition ||
    // With a partition the old revision stays.
    (strategy.partition === 0 && (status.updateRevision !== status.currentRevision || status.replicas > status.updated));
  // Without counts: each pod would be another decision.
  return isOnItsWay ? "a rollout is under way" : undefined;
}
