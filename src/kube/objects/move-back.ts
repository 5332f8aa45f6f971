import { nextBackoff } from "../../rules/decide/backoff.ts";
import type { Verdict } from "./blame-for-stuck-rollout.ts";
import { notRolling } from "./object-gates.ts";
import type { SeenPod } from "./pods.ts";
import { isAsked, isProven } from "./proof.ts";
import {
  at,
  end,
  freed,
  illIn,
  onward,
  secondsIll,
  wait,
  withoutProgress,
  type Advance,
  type MovingStanding,
  type Stepping,
} from "./move-step.ts";

/** A rollback without progress for this long needs a person. */
const wayBackSeconds = 3600;

/** Writes the rejection or the wait together with the step, so that each failure counts once. */
export function goBack(stepping: Stepping, { told: why, isVersionsFault, mend }: Extract<Verdict, { kind: "back" }>): Advance {
  const { standing, move, sight } = stepping;
  const { now } = sight;
  const { to: served, image: artifact, digest } = move;
  const back = { ...at(move, "going-back", now), cause: why };
  const remembered: MovingStanding = isVersionsFault
    ? { ...standing, rejected: [...standing.rejected, { served, artifact, digest, at: now, why }] }
    : { ...standing, backoff: nextBackoff(standing.backoff, { served, cause: { message: why, mend } }, now) };
  return wait({ ...stepping, standing: remembered }, back);
}

/** The old image is back, and the pods follow it. */
export function returning(stepping: Stepping): Advance {
  const { move, sight, policy } = stepping;
  const { now, object, own } = sight;
  const stay = notRolling(object);
  // If a partition keeps all pods as they are, no pod can prove the version.
  if (stay === undefined && isProven(policy.object.kind, object, own)) return end(stepping, "back");
  const next = onward(stepping);
  const stuck = stuckOnWayBack(stepping);
  if (stuck !== undefined) return freed(stepping, next, stuck);
  // Looks again then, because no event reports that a pod is stuck.
  const until = now + policy.freeSeconds;
  if (withoutProgress(next, sight) < wayBackSeconds) return wait(stepping, next, { stay, until });
  const why = `the way back from ${move.to} to ${move.from} makes no progress: ${stay?.told ?? "the pods do not get ready"}`;
  return { standing: { ...stepping.standing, move: undefined, needsOperator: { at: now, why } }, said: undefined };
}

/**
 * The pod to delete in a rollback. A StatefulSet waits for ever for an unready pod of the failed version (kubernetes#67250). Only a pod whose
 * revision the record names is deleted: a good pod may be unready for a moment.
 */
function stuckOnWayBack(stepping: Stepping): SeenPod | undefined {
  const { move, sight } = stepping;
  const { own, object } = sight;
  const isGivenUp = (pod: SeenPod): boolean =>
    isAsked(pod, object) && pod.revision !== own.revision && move.revisions.includes(pod.revision);
  const ill = illIn(stepping);
  const highest = ill.findLastIndex(isGivenUp);
  const pod = ill[highest];
  if (pod === undefined || !ill.slice(0, highest).every(isGivenUp)) return undefined;
  return secondsIll(sight, pod) >= stepping.policy.freeSeconds ? pod : undefined;
}
