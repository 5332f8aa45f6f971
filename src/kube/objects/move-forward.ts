import { judge, mayBeHelped } from "./blame-for-stuck-rollout.ts";
import type { MoveInHand } from "./move-memory.ts";
import { notRolling } from "./object-gates.ts";
import type { SeenPod } from "./pods.ts";
import { isAsked, isProven, progressOf } from "./proof.ts";
import { isObserved } from "./seen.ts";
import { goBack } from "./move-back.ts";
import {
  at,
  end,
  freed,
  illIn,
  onward,
  said,
  secondsIll,
  wait,
  withoutProgress,
  type Advance,
  type MoveSight,
  type Stepping,
} from "./move-step.ts";

/** The image was changed, and the rollout begins. */
export function patched(stepping: Stepping): Advance {
  const { move, sight } = stepping;
  const { now, object, own } = sight;
  const stay = notRolling(object) ?? (object.replicas > 0 ? undefined : withoutReplicas);
  if (stay !== undefined) return wait(stepping, move, { stay });
  if (!isObserved(object) || own.revision === "") return wait(stepping, move);
  const begun = { ...at(move, "rolling", now), progress: { count: progressOf(own), at: now } };
  return wait(stepping, withRevision(begun, sight));
}

const withoutReplicas = said("moving", "it has no replicas: nothing is proven yet", "time");

/** The pods are being replaced, or must stay well for some time after it. */
export function rolling(stepping: Stepping): Advance {
  const { move, sight, policy } = stepping;
  const { now, object, own } = sight;
  if (notRolling(object) !== undefined || object.replicas === 0) return patched({ ...stepping, move: at(move, "patched", now) });
  if (isProven(policy.object.kind, object, own)) {
    if (move.step !== "settling") return wait(stepping, withRevision(at(move, "settling", now), sight));
    // Starts the time again if the clock was set back, so that nothing waits longer.
    const next = now < move.since ? at(move, "settling", now) : move;
    const until = Math.max(next.since, sight.seenSince) + policy.settleSeconds;
    return now >= until ? end(stepping, "proven") : wait(stepping, next, { until });
  }
  const step = move.step === "rolling" ? move : at(move, "rolling", now);
  const next = withRevision(onward({ ...stepping, move: step }), sight);
  const stuck = stuckSinceBefore({ ...stepping, move: next });
  if (stuck !== undefined) return freed(stepping, next, stuck);
  const seconds = Math.min(withoutProgress(next, sight), now - sight.excusedAt);
  const deadline = Math.max(policy.healthSeconds, object.patienceSeconds);
  if (seconds < deadline) {
    const soon = next.unready.length > 0 ? policy.freeSeconds : deadline;
    return wait(stepping, next, { until: now + Math.min(deadline - seconds, soon) });
  }
  const before = move.wasWell ? "well" : "not known to be well";
  const { revisions } = next;
  const verdict = judge({ ...sight, revisions, before, seconds, deadline });
  if (verdict.kind === "wait") {
    const { wanted = move.to } = sight;
    // Pods that were ill before the move may never become ready with this version, and another version may cure them.
    const isLeft = !move.wasWell && verdict.why === "still-unhealthy" && wanted !== move.to;
    if (isLeft) return end({ ...stepping, move: { ...next, cause: verdict.told } }, "unproven");
    const stay = said(verdict.why, verdict.told, "the rollout ends");
    return verdict.why === "moving" ? wait(stepping, next, { stay, until: verdict.until }) : wait(stepping, next, { stay });
  }
  return goBack({ ...stepping, move: next }, verdict);
}

/** Notes the new revision, but only after the controller has seen the template: before, the object shows an earlier one. */
function withRevision(move: MoveInHand, { object, own: { revision } }: MoveSight): MoveInHand {
  return !isObserved(object) || revision === "" || move.revisions.includes(revision)
    ? move
    : { ...move, revisions: [...move.revisions, revision] };
}

/**
 * The pod to delete in an update. A StatefulSet also waits for ever for an old pod that was not ready before. Never deletes a pod that was ready when
 * the move began, nor any pod while one of the new version is not ready.
 */
function stuckSinceBefore(stepping: Stepping): SeenPod | undefined {
  const { move, sight, policy } = stepping;
  const ill = illIn(stepping);
  const wasSo = ({ revision, uid }: SeenPod): boolean => revision !== sight.own.revision && move.unready.includes(uid);
  // A StatefulSet makes no pod above its lowest unready one.
  const [lowest] = ill;
  if (lowest === undefined || !ill.every(wasSo)) return undefined;
  if (!isAsked(lowest, sight.object) || !mayBeHelped(lowest)) return undefined;
  const seconds = Math.min(secondsIll(sight, lowest), withoutProgress(move, sight));
  return seconds >= policy.freeSeconds ? lowest : undefined;
}
