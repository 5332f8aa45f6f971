import { operatorNeed } from "../../rules/decide/gate-facts.ts";
import { emptyOf } from "../../rules/shape/empty.ts";
import {
  count,
  listOf,
  maybe,
  number,
  optional,
  orElse,
  record,
  sentence,
  text,
  truth,
  word,
  words,
  type Of,
} from "../../rules/shape/shape.ts";
import { compareVersions, version } from "../../rules/version/version.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { moveReasons } from "./object-reasons.ts";

/** Each step of a move, in words. */
export const moveSteps = {
  begun: "the image is about to be changed",
  patched: "the image is changed, and the rollout is about to begin",
  rolling: "the pods are being replaced",
  settling: "all pods run it and are ready, and have to stay so for a while",
  "going-back": "the image is about to be put back",
  returning: "the image is put back, and the pods are being replaced",
} as const;

const image = text(4096);
export const mostUnready = 100;

const move = record({
  step: words(moveSteps),
  why: words(moveReasons, "asked"),
  from: version,
  to: version,
  /** `imageBefore` is spelled as the object had it, `image` as the API server answers it now. */
  imageBefore: image,
  image,
  /** The digest of the image that is set, if a registry gave it. */
  digest: optional(word),
  wasWell: truth,
  /** The uids of pods that were not ready when the move began and that another image may help. */
  unready: orElse(listOf(word, mostUnready, "last"), []),
  startedAt: number,
  /** When the step began. */
  since: number,
  /** The object's generation after our last patch. A sight with an earlier one is old. */
  generation: count,
  /** How often a patch failed because the object had just changed. */
  tries: count,
  /** The revisions of its pods with the new version. A pod that delays a rollback has one of these. */
  revisions: listOf(word, 16, "last"),
  /** The furthest point of the rollout, and when it was reached. */
  progress: record({ count, at: number }),
  /** Why it is rolled back. */
  cause: maybe(sentence),
  /** Why the last write failed. */
  trouble: maybe(sentence),
  /** The uid of the stuck pod that we delete. */
  freeing: maybe(word),
});
export type MoveInHand = Of<typeof move>;

const outcomes = {
  proven: "upgraded",
  back: "taken back",
  overtaken: "left to somebody else, who changed the image meanwhile",
  reset: "a tool has undone the move",
  unproven: "left unproven for another version",
} as const;

/** How the last move ended. */
const ended = record({
  outcome: words(outcomes, "overtaken"),
  from: version,
  to: version,
  imageBefore: image,
  image,
  digest: optional(word),
  at: number,
  why: maybe(sentence),
});
export type Ended = Of<typeof ended>;

type Way = Pick<Ended, "from" | "to" | "imageBefore" | "image" | "digest">;
type Beginning = { readonly now: UnixSeconds; readonly object: { readonly generation: number } };

export function newMove(way: Way, { now, object }: Beginning): MoveInHand {
  const { from, to, imageBefore, digest } = way;
  return {
    step: "begun",
    why: "asked",
    from,
    to,
    imageBefore,
    image: way.image,
    digest,
    wasWell: true,
    unready: [],
    startedAt: now,
    since: now,
    generation: object.generation,
    tries: 0,
    revisions: [],
    progress: { count: 0, at: now },
    cause: undefined,
    trouble: undefined,
    freeing: undefined,
  };
}

const rejection = record({
  served: version,
  artifact: word,
  digest: optional(word),
  at: number,
  why: sentence,
  /** A person rolled this version back here, which is no fault of the version for other objects. */
  isAsked: optional(truth),
});
/** How somebody can end a failure that is not the version's fault. */
const mends = { right: "let it be changed", make: "let its pods be made", start: "let its pods start" } as const;
export type Mend = keyof typeof mends;

const waiting = record({
  served: version,
  cause: record({ message: sentence, mend: optional(words(mends, "start")) }),
  failures: count,
  until: number,
});

const reset = record({ served: version, times: count });

const instants = record({ runNow: maybe(number), retry: maybe(number), rollback: maybe(number) });

/** What moves leave for the next decision. */
export const standingKeys = {
  move: maybe(move),
  last: maybe(ended),
  rejected: orElse(listOf(rejection, 20, "last"), []),
  backoff: maybe(waiting),
  needsOperator: maybe(operatorNeed),
  /** How often a tool has replaced a version's image after a move. */
  resets: orElse(listOf(reset, 20, "last"), []),
  /** The version that a rescue has tried without a maintenance schedule. */
  rescuedFor: maybe(version),
  /** For each annotation, the last instant that we acted on. */
  heeded: orElse(instants, { runNow: undefined, retry: undefined, rollback: undefined }),
  /** When a run-now was asked that only a registry or a rollout still delays. */
  heldUp: maybe(number),
};
const standing = record(standingKeys);
export type Standing = Of<typeof standing>;

export const nothingStands: Standing = emptyOf(standing);

/** An object that was deleted and made again keeps only its failed versions and the requests that were acted on. */
export function standingOfAnother({ rejected, backoff, heeded }: Standing): Standing {
  return { ...nothingStands, rejected, backoff, heeded };
}

export function isDowngrade({ outcome, from, to }: Ended): boolean {
  return outcome === "proven" && compareVersions(to, from) < 0;
}

/** Tells how a move ended, for a log line and an Event. */
export function sentenceOfEnded(last: Ended): string {
  const { outcome, from, to, why } = last;
  return `${isDowngrade(last) ? "downgraded" : outcomes[outcome]} (${from} -> ${to})${why === undefined ? "" : `: ${why}`}`;
}
