import { isBlamed, type Blame } from "../../rules/decide/blamed-failures.ts";
import type { Mend } from "./move-memory.ts";
import { isAsked } from "./proof.ts";
import type { OwnPods } from "./pods.ts";
import type { Illness, WatchedPod } from "./watched-pods.ts";
import type { SeenObject } from "./seen.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

/** The causes that can hold up a rollout, in the order of the search. */
const troubles = {
  crashed: "its container ends again and again",
  unready: "its container runs and is not ready",
  "not-pulled": "its image cannot be pulled",
  "not-scheduled": "it finds no node",
  "not-made": "a pod is missing: it is not made or not admitted",
  "not-started": "its container has not started",
  "other-container": "another container of it is not ready",
  node: "its containers are ready, and it is not: its node is away, or it waits for a readiness gate",
  ending: "an old pod has not ended yet",
  slow: "the old pods are not replaced",
} as const;
type Trouble = keyof typeof troubles;

const blame: Blame<Trouble> = { always: [], ifItWasWell: ["crashed", "unready"] };

/** These causes end by themselves or by another's action. No other version would help. */
const waited: readonly Trouble[] = ["other-container", "node", "ending"];

export type Verdict =
  | { readonly kind: "wait"; readonly why: "moving"; readonly told: string; readonly until: UnixSeconds }
  | { readonly kind: "wait"; readonly why: "still-unhealthy"; readonly told: string }
  | { readonly kind: "back"; readonly isVersionsFault: boolean; readonly told: string; readonly mend?: Mend | undefined };

export type Stuck = Looked & {
  /** The object's state before its image was changed. */
  readonly before: "well" | "not known to be well";
  readonly isServerAway: boolean;
};

type Looked = {
  readonly object: SeenObject;
  readonly own: OwnPods<WatchedPod>;
  /** The revisions of pods with the new version. There may be several, because the rest of the template may have changed. */
  readonly revisions: readonly string[];
  /** The seconds since its last progress. */
  readonly seconds: number;
  readonly deadline: number;
  readonly now: UnixSeconds;
};

/** Whether only causes that no version can help delay the rollout. The version is not blamed for that time. */
export function isExcused(sight: Pick<Stuck, "object" | "own" | "revisions">): boolean {
  const { trouble } = troubleIn({ ...sight, seconds: 0, deadline: 0, now: Infinity });
  return waited.includes(trouble);
}

/** Waits for an outage no longer than this. */
const outageSeconds = 3600;

/** Pods that are replaced again and again are never ill for long, so the wait ends after this many deadlines. */
const mostDeadlines = 3;

/** Judges a rollout that made no progress within its deadline. */
export function judge(stuck: Stuck): Verdict {
  const { before, isServerAway, seconds } = stuck;
  const { trouble, told, youngUntil } = troubleIn(stuck);
  if (isServerAway || (before === "well" && areOldIll(stuck))) {
    const outage = isServerAway ? "the version server is away" : "pods of the version before are not ready either";
    const words = `${told}; ${outage}, so the version is not to blame`;
    if (seconds < outageSeconds) return { kind: "wait", why: "still-unhealthy", told: words };
    return { kind: "back", isVersionsFault: false, told: words };
  }
  if (youngUntil !== undefined) return { kind: "wait", why: "moving", told: `${told}, and not for long`, until: youngUntil };
  if (waited.includes(trouble)) return { kind: "wait", why: "still-unhealthy", told };
  const isVersionsFault = isBlamed(trouble, blame, before);
  if (before !== "well" && (trouble === "slow" || blame.ifItWasWell.includes(trouble))) {
    return { kind: "wait", why: "still-unhealthy", told: `${told}; it was unwell before` };
  }
  const mend = isVersionsFault || trouble === "slow" ? undefined : trouble === "not-made" ? "make" : "start";
  return { kind: "back", isVersionsFault, told, mend };
}

/** Whether a pod was ill before any move, as a bad version makes it. The next version is not to blame. */
export function isIllByItself({ isTerminating, ill }: WatchedPod): boolean {
  return !isTerminating && ill !== undefined && blame.ifItWasWell.includes(ill.trouble);
}

/** Whether only another image can make this pod available. */
export function mayBeHelped({ isTerminating, ill }: WatchedPod): boolean {
  return !isTerminating && ill !== undefined && ill.trouble !== "not-scheduled" && !waited.includes(ill.trouble);
}

function areOldIll(stuck: Stuck): boolean {
  const { object, own } = stuck;
  return own.pods.some((pod) => !isNew(pod, stuck) && !pod.isTerminating && pod.ill !== undefined && isAsked(pod, object));
}

function isNew({ revision }: WatchedPod, { own, revisions }: Looked): boolean {
  return revision === own.revision || revisions.includes(revision);
}

type Found = {
  readonly trouble: Trouble;
  readonly told: string;
  /** Until when all affected pods may still get ready; undefined if one has been ill for long. */
  readonly youngUntil: UnixSeconds | undefined;
};

/** A cause that has lasted long comes before one that has just begun. */
function troubleIn(stuck: Looked): Found {
  const { object, own, now } = stuck;
  const [found, young] = [new Map<Trouble, string>(), new Map<Trouble, string>()];
  let soonest = Infinity;
  for (const pod of own.pods) {
    if (pod.isTerminating) found.set("ending", `${pod.name}: ${troubles.ending}`);
    else if (isNew(pod, stuck) && pod.ill !== undefined) {
      const { trouble } = pod.ill;
      const until = youngUntilIn(pod.ill, stuck);
      (until > now ? young : found).set(trouble, `${pod.name}: ${pod.isReady ? flaps : troubles[trouble]}`);
      soonest = Math.min(soonest, until);
    }
  }
  const { notMade } = object.status;
  if (notMade !== "" || (own.pods.length < object.replicas && !found.has("ending"))) {
    found.set("not-made", `${troubles["not-made"]}${notMade === "" ? "" : ` (${notMade})`}`);
  }
  const isYoung = found.size === 0 && young.size > 0;
  const rows = isYoung ? young : found;
  const trouble = (Object.keys(troubles) as Trouble[]).find((one) => rows.has(one)) ?? "slow";
  return { trouble, told: rows.get(trouble) ?? troubles.slow, youngUntil: isYoung ? soonest : undefined };
}

const flaps = "it does not stay ready for as long as `minReadySeconds` asks";

/** Until when a pod may still get ready, because it is new or its node has just restarted it. A backed-off pod has had its chances. */
function youngUntilIn({ trouble, troubleSince, isBackedOff }: Illness, { seconds, deadline, now }: Looked): UnixSeconds {
  if (isBackedOff || waited.includes(trouble)) return now;
  return Math.min(troubleSince + deadline, now + mostDeadlines * deadline - seconds);
}
