import { isBlamed, type Blame } from "../../rules/decide/blamed-failures.ts";
import { isAsked } from "./proof.ts";
import type { OwnPods, SeenPod } from "./pods.ts";
import type { SeenObject } from "./seen.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

/** What holds up a rollout, in the order in which it is looked for. */
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
export type Trouble = keyof typeof troubles;

const blame: Blame<Trouble> = { always: [], ifItWasWell: ["crashed", "unready"] };

/** They end by themselves or by somebody else; no other version would help. */
const waited: readonly Trouble[] = ["other-container", "node", "ending"];

export type Verdict =
  | { readonly kind: "wait"; readonly why: "moving"; readonly told: string; readonly until: UnixSeconds }
  | { readonly kind: "wait"; readonly why: "still-unhealthy"; readonly told: string }
  | { readonly kind: "back"; readonly isVersionsFault: boolean; readonly told: string };

export type Stuck = Looked & {
  /** How the object was before its image was changed. */
  readonly before: "well" | "not known to be well";
  readonly isServerAway: boolean;
};

type Looked = {
  readonly object: SeenObject;
  readonly own: OwnPods;
  readonly container: string;
  /** Those of pods with the new version: somebody may have changed something else of the template meanwhile. */
  readonly revisions: readonly string[];
  /** Since its last progress. */
  readonly seconds: number;
  readonly deadline: number;
  readonly now: UnixSeconds;
  readonly ill: IllPods;
};

/** By uid, the pods that are not ready: since when this process sees that, and since when what it sees of them now. */
export type IllPods = ReadonlyMap<
  string,
  { readonly since: UnixSeconds; readonly trouble: Trouble; readonly troubleSince: UnixSeconds }
>;

export function illPods(
  before: IllPods,
  pods: readonly SeenPod[],
  { container, now }: { readonly container: string; readonly now: UnixSeconds },
): IllPods {
  const rows = pods
    .filter(({ isReady }) => !isReady)
    .map((pod) => {
      const trouble = troubleOf(pod, container);
      const was = before.get(pod.uid);
      const since = Math.min(was?.since ?? now, now);
      const troubleSince = was?.trouble === trouble ? Math.min(was.troubleSince, now) : now;
      return [pod.uid, { since, trouble, troubleSince }] as const;
    });
  return new Map(rows);
}

/** Whether only what ends by itself or by somebody else holds it up: that time is held against no version. */
export function isExcused(sight: Pick<Stuck, "object" | "own" | "container" | "revisions">): boolean {
  const { trouble } = troubleIn({ ...sight, seconds: 0, deadline: 0, now: 0, ill: new Map() });
  return waited.includes(trouble);
}

/** After this an outage is no reason to wait on. */
const outageSeconds = 3600;

/** Pods that are made again and again never are ill for long: so often the deadline is the most that is waited. */
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
  return { kind: "back", isVersionsFault, told };
}

/** As a version makes a pod that is bad: whatever comes next is not to blame for it. */
export function isIllByItself(pod: SeenPod, container: string): boolean {
  return !pod.isTerminating && !pod.isReady && blame.ifItWasWell.includes(troubleOf(pod, container));
}

/** Whether another image may end what keeps it from being ready, and nothing else will. */
export function mayBeHelped(pod: SeenPod, container: string): boolean {
  const trouble = troubleOf(pod, container);
  return !pod.isTerminating && !pod.isReady && trouble !== "not-scheduled" && !waited.includes(trouble);
}

function areOldIll(stuck: Stuck): boolean {
  const { object, own } = stuck;
  return own.pods.some((pod) => !isNew(pod, stuck) && !pod.isTerminating && !pod.isReady && isAsked(pod, object));
}

function isNew({ revision }: SeenPod, { own, revisions }: Looked): boolean {
  return revision === own.revision || revisions.includes(revision);
}

type Found = {
  readonly trouble: Trouble;
  readonly told: string;
  /** Until when all that have it may get ready yet; undefined: one has had it for long. */
  readonly youngUntil: UnixSeconds | undefined;
};

/** What a pod has had for long comes before what another one has had for a moment. */
function troubleIn(stuck: Looked): Found {
  const { object, own, container, now } = stuck;
  const [found, young] = [new Map<Trouble, string>(), new Map<Trouble, string>()];
  let soonest = Infinity;
  for (const pod of own.pods) {
    if (pod.isTerminating) found.set("ending", pod.name);
    else if (isNew(pod, stuck) && !pod.isReady) {
      const until = youngUntilIn(pod, stuck);
      (until > now ? young : found).set(troubleOf(pod, container), pod.name);
      soonest = Math.min(soonest, until);
    }
  }
  const { notMade } = object.status;
  if (notMade !== "" || (own.pods.length < object.replicas && !found.has("ending"))) found.set("not-made", "");
  const isYoung = found.size === 0 && young.size > 0;
  const rows = isYoung ? young : found;
  const trouble = (Object.keys(troubles) as Trouble[]).find((one) => rows.has(one)) ?? "slow";
  const name = rows.get(trouble) ?? "";
  const reason = trouble === "not-made" && notMade !== "" ? ` (${notMade})` : "";
  return {
    trouble,
    told: `${name === "" ? "" : `${name}: `}${troubles[trouble]}${reason}`,
    youngUntil: isYoung ? soonest : undefined,
  };
}

/** A pod that was made a moment ago, or whose node has begun it again, may get ready yet. What is backed off has had its chances. */
function youngUntilIn(pod: SeenPod, { container, seconds, deadline, now, ill }: Looked): UnixSeconds {
  const isBackedOff = pod.containers.some(({ name, waits }) => name === container && waits === "CrashLoopBackOff");
  const since = ill.get(pod.uid)?.troubleSince ?? now;
  const mayEnd = !isBackedOff && !waited.includes(troubleOf(pod, container));
  return mayEnd ? Math.min(since + deadline, now + mostDeadlines * deadline - seconds) : now;
}

function troubleOf({ isScheduled, areContainersReady, containers }: SeenPod, name: string): Trouble {
  if (areContainersReady) return "node";
  const ours = containers.find((one) => one.name === name);
  if (ours === undefined) return isScheduled ? "not-started" : "not-scheduled";
  if (ours.isReady) return "other-container";
  if (/image/i.test(ours.waits)) return "not-pulled";
  if (ours.waits === "CrashLoopBackOff" || ours.hasEnded) return "crashed";
  return ours.isRunning ? "unready" : "not-started";
}
