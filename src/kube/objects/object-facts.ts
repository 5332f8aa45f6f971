import type { Heard } from "../../rules/channel/heard.ts";
import type { ClockVerdict } from "../../rules/decide/clock-verdict.ts";
import type { AnswerHeard, GateFacts, KnownSchedule } from "../../rules/decide/gate-facts.ts";
import type { GatePolicy } from "../../rules/decide/gate-policy.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Artifact } from "../../rules/decide/artifact.ts";
import type { TagRule } from "./image.ts";
import type { Member } from "./member.ts";
import type { ObjectKind, SeenObject } from "./seen.ts";
import type { Standing } from "./move-memory.ts";

/** Which container of which object follows the channel. */
export type ObjectName = {
  readonly namespace: string;
  readonly kind: ObjectKind;
  readonly name: string;
  readonly container: string;
  /** The value of the label by which it is followed; left out: the settings name it. */
  readonly labelled?: string;
};

export type ObjectPolicy = GatePolicy & {
  readonly object: ObjectName;
  /** Where the settings name it, for example `objects[2]`. */
  readonly entry: string;
  readonly tag: TagRule;
  /** "report": the image is somebody else's; "auto": where a GitOps tool has marked the object. */
  readonly mode: "auto" | "update" | "report";
  /** Named in the words about the schedule. */
  readonly scheduleSecret: string | undefined;
  readonly unhealthySeconds: number;
  /** An annotation says what cannot be. */
  readonly wrong?: Wrong;
  /** Helm has made the settings: hints name its values. */
  readonly isOfChart: boolean;
};

export type Wrong = { readonly told: string; readonly hint: string };

/** What earlier looks left for this decision. */
export type ObjectMemory = {
  /** Why the record of earlier looks is not known. */
  readonly unreadable: string | undefined;
  /** What the channel answered, this answer counted in. */
  readonly heard: Heard;
  /** Since when every look found pods that are not ready. */
  readonly unhealthySince: UnixSeconds | undefined;
  /** What moves left. */
  readonly standing: Standing;
};

/** Everything a decision rests on, seen once. */
export type ObjectFacts = {
  readonly now: UnixSeconds;
  readonly clock: ClockVerdict;
  /** Undefined: there is none of that name. */
  readonly object: SeenObject | undefined;
  readonly answer: AnswerHeard;
  readonly schedule: KnownSchedule;
  readonly memory: ObjectMemory;
  /** The objects of this updater, this one too. */
  readonly all: readonly Member[];
  /** Of the image that would be set, where a registry has told it. */
  readonly digest?: string;
};

/** What the gates that objects share with hosts see of an object that runs this image. */
export function gateFactsOf(facts: ObjectFacts, image: string, { unhealthySeconds }: ObjectPolicy): GateFacts {
  const { now, clock, answer, schedule, memory, digest } = facts;
  const { heard, unhealthySince, standing } = memory;
  const { needsOperator, rejected, backoff, rescuedFor, last } = standing;
  return {
    now,
    clock,
    answer,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an image is what is installed here
    installed: image as Artifact,
    offered: undefined,
    schedule,
    isIll: isIll(unhealthySince, { now, unhealthySeconds }),
    memory: {
      needsOperator,
      rejected: rejected
        // What has another digest is not what failed, whatever its tag.
        .filter((row) => row.digest === undefined || digest === undefined || row.digest === digest)
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an image is what failed here
        .map((row) => ({ ...row, artifact: row.artifact as Artifact })),
      backoff,
      rescuedFor,
      moveSeconds: [],
      previous: last?.outcome === "proven" ? { version: last.from, leftAt: last.at } : undefined,
      heard,
    },
  };
}

type Patience = { readonly now: UnixSeconds; readonly unhealthySeconds: number };

export function isIll(since: UnixSeconds | undefined, { now, unhealthySeconds }: Patience): since is UnixSeconds {
  return since !== undefined && now - since >= unhealthySeconds;
}

type Wellness = Patience & {
  readonly object: SeenObject | undefined;
  /** Since when the pods whose container has ended have been ready: a moment between two crashes is no recovery. */
  readonly againSince: UnixSeconds;
};

/** Since when not all pods are available; two sights apart in time make an illness, and no count of events does. */
export function illSince(
  before: UnixSeconds | undefined,
  { now, object, againSince, unhealthySeconds }: Wellness,
): UnixSeconds | undefined {
  if (object === undefined) return undefined;
  const isWell = object.status.available >= object.replicas;
  if (isWell && (before === undefined || now >= recoveredAt(againSince, unhealthySeconds))) return undefined;
  // What lies in the future was dated by a clock that was wrong.
  return before === undefined || before > now ? now : before;
}

/** Nodes wait for five minutes at most before they begin a container again. */
export function recoveredAt(againSince: UnixSeconds, unhealthySeconds: number): UnixSeconds {
  return againSince + Math.ceil(unhealthySeconds / 2);
}
