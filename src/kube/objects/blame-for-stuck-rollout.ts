import { isBlamed, type Blame } from "../../rules/decide/blamed-failures.ts";
import { isAsked } from "./proof.ts";
import type { OwnPods, SeenPod } from "./pods.ts";
import type { SeenObject } from "./seen.ts";

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
  | { readonly kind: "wait"; readonly why: "moving" | "still-unhealthy"; readonly told: string }
  | { readonly kind: "back"; readonly isVersionsFault: boolean; readonly told: string };

export type Stuck = {
  readonly object: SeenObject;
  readonly own: OwnPods;
  readonly container: string;
  /** Those of pods with the new version: somebody may have changed something else of the template meanwhile. */
  readonly revisions: readonly string[];
  /** How the object was before its image was changed. */
  readonly before: "well" | "not known to be well";
  readonly isServerAway: boolean;
  /** Since its last progress. */
  readonly seconds: number;
};

/** After this an outage is no reason to wait on. */
const outageSeconds = 3600;

/** Judges a rollout that made no progress within its deadline. */
export function judge(stuck: Stuck): Verdict {
  const { before, isServerAway, seconds } = stuck;
  const { trouble, told } = troubleIn(stuck);
  if (isServerAway || (before === "well" && areOldIll(stuck))) {
    const outage = isServerAway ? "the version server is away" : "pods of the version before are not ready either";
    const words = `${told}; ${outage}, so the version is not to blame`;
    if (seconds < outageSeconds) return { kind: "wait", why: "still-unhealthy", told: words };
    return { kind: "back", isVersionsFault: false, told: words };
  }
  if (waited.includes(trouble)) return { kind: "wait", why: "still-unhealthy", told };
  const isVersionsFault = isBlamed(trouble, blame, before);
  if (before !== "well" && (trouble === "slow" || blame.ifItWasWell.includes(trouble))) {
    return { kind: "wait", why: "still-unhealthy", told: `${told}; it was unwell before` };
  }
  return { kind: "back", isVersionsFault, told };
}

function areOldIll(stuck: Stuck): boolean {
  const { object, own } = stuck;
  return own.pods.some((pod) => !isNew(pod, stuck) && !pod.isTerminating && !pod.isReady && isAsked(pod, object));
}

function isNew({ revision }: SeenPod, { own, revisions }: Stuck): boolean {
  return revision === own.revision || revisions.includes(revision);
}

function troubleIn(stuck: Stuck): { trouble: Trouble; told: string } {
  const { object, own, container } = stuck;
  const { pods } = own;
  const found = new Map<Trouble, string>();
  for (const pod of pods) {
    if (pod.isTerminating) found.set("ending", pod.name);
    else if (isNew(pod, stuck) && !pod.isReady) found.set(troubleOf(pod, container), pod.name);
  }
  if (pods.length < object.replicas && !found.has("ending")) found.set("not-made", "");
  const trouble = (Object.keys(troubles) as Trouble[]).find((one) => found.has(one)) ?? "slow";
  const name = found.get(trouble) ?? "";
  return { trouble, told: name === "" ? troubles[trouble] : `${name}: ${troubles[trouble]}` };
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
