import { nextBackoff } from "../../rules/decide/backoff.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { isIllByItself, mayBeHelped } from "./blame-for-stuck-rollout.ts";
import { imagePatch, type PatchFailure } from "./image-patch.ts";
import { returning } from "./move-back.ts";
import { patched, rolling } from "./move-forward.ts";
import { moveSteps, mostUnready, newMove, type MoveInHand, type Standing } from "./move-memory.ts";
import {
  drop,
  end,
  imageChanged,
  wait,
  type Advance,
  type MovePolicy,
  type MoveSight,
  type MovingStanding,
} from "./move-step.ts";
import type { Move } from "./object-decision.ts";
import { suspended } from "./object-gates.ts";
import type { Asking } from "./people-ask.ts";
import type { OwnPods } from "./pods.ts";
import { imageIn, type SeenObject } from "./seen.ts";
import type { WatchedPod } from "./watched-pods.ts";

const mostTries = 5;

/** Begins a move. The record has this first step before anything is changed. */
export function begin(
  standing: Standing,
  { why, target }: Move,
  { now, object, own, container, tries = 0 }: Beginning,
): MovingStanding {
  const { from, to, image, digest } = target;
  const move: MoveInHand = {
    ...newMove({ from, to, imageBefore: imageHere(object, container), image, digest }, { now, object }),
    why,
    wasWell: object.status.available >= object.replicas || !own.pods.some(isIllByItself),
    unready: own.pods
      .filter(mayBeHelped)
      .map(({ uid }) => uid)
      .slice(0, mostUnready),
    tries,
  };
  return { ...standing, move, rescuedFor: why === "rescue" ? target.to : standing.rescuedFor };
}

type Beginning = Asking & {
  readonly own: OwnPods<WatchedPod>;
  /** How often this move was begun before. */
  readonly tries?: number;
};

/** Takes one step of the current move. The object is still the one with which the move began. */
export function advance(standing: MovingStanding, sight: MoveSight, policy: MovePolicy): Advance {
  const { move } = standing;
  const { now, object } = sight;
  const held = suspended(object);
  if (held !== undefined) {
    const told = `${held.told} in the middle of a move: ${moveSteps[move.step]}`;
    return { standing: { ...standing, move: { ...move, step: restarted[move.step] } }, said: { ...held, told } };
  }
  const stepping = { standing, move, sight, policy };
  // The watch does not show our patch yet.
  if (object.generation < move.generation) return wait(stepping, move);
  const { container } = policy.object;
  const image = imageHere(object, container);
  const isBack = move.step === "going-back" || move.step === "returning";
  const [old, wanted] = isBack ? [move.image, move.imageBefore] : [move.imageBefore, move.image];
  const isDone = image === wanted;
  switch (move.step) {
    case "begun":
    case "going-back": {
      if (isDone || (image !== old && isSameElsewhere(image, wanted))) {
        return wait(stepping, imageChanged(move, image, now));
      }
      if (image !== old) return isBack ? end(stepping, "overtaken") : drop(standing);
      // Somebody scaled, paused or restarted the object, or the step is an hour old, so the decision is made again.
      if (!isBack && (object.generation !== move.generation || !isFresh(move, now))) return drop(standing);
      const operations = imagePatch(object, { container, from: old, to: wanted });
      return { ...wait(stepping, move), change: { kind: "patch", operations } };
    }
    case "patched":
      return isDone ? patched(stepping) : end(stepping, "overtaken");
    case "rolling":
    case "settling":
      return isDone ? rolling(stepping) : end(stepping, "overtaken");
    case "returning":
      return isDone ? returning(stepping) : end(stepping, "overtaken");
  }
}

/** Whether an admission webhook only wrote a mirror's name into the image, and its answer was lost. */
function isSameElsewhere(image: string, wanted: string): boolean {
  return image.split("/").at(-1) === wanted.split("/").at(-1);
}

/** A change that waited longer than this is decided again: its window may be over. */
const freshSeconds = 300;

/** Whether a change that was not made yet still applies. */
export function isFresh({ since }: MoveInHand, now: UnixSeconds): boolean {
  return Math.abs(now - since) <= freshSeconds;
}

/** Where a suspended move continues, with a new clock. */
const restarted: Readonly<Record<MoveInHand["step"], MoveInHand["step"]>> = {
  begun: "begun",
  patched: "patched",
  rolling: "patched",
  settling: "patched",
  "going-back": "going-back",
  returning: "going-back",
};

/** The API server's answer to a patch. */
export type PatchAnswer = { readonly kind: "done"; readonly object: SeenObject } | PatchFailure;

/** Returns the move after the API server's answer to its patch. */
export function answered(
  standing: MovingStanding,
  answer: PatchAnswer,
  { now, container }: Pick<Asking, "now" | "container">,
): Standing {
  const { move } = standing;
  const isBack = move.step === "going-back";
  if (answer.kind === "done") {
    const { generation } = answer.object;
    return { ...standing, move: { ...imageChanged(move, imageHere(answer.object, container), now), generation } };
  }
  const { kind, told } = answer;
  if (isBack || kind === "again" || kind === "gone") return { ...standing, move: { ...move, trouble: told } };
  if (kind === "changed" && move.tries < mostTries)
    return { ...standing, move: { ...move, tries: move.tries + 1, trouble: told } };
  const mend = kind === "no-right" ? ("right" as const) : undefined;
  const backoff = nextBackoff(standing.backoff, { served: move.to, cause: { message: told, mend } }, now);
  return { ...standing, move: undefined, backoff };
}

function imageHere(object: SeenObject, container: string): string {
  return imageIn(object, container) ?? "";
}
