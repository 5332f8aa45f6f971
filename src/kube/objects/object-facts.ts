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
  /** The label's value if the object was found by a label; absent if the settings name it. */
  readonly labelled?: string;
};

export type ObjectPolicy = GatePolicy & {
  readonly object: ObjectName;
  /** The object's place in the settings, for example `objects[2]`. */
  readonly entry: string;
  readonly tag: TagRule;
  /** "report": others set the image. "auto": like "report" if a GitOps tool has marked the object. */
  readonly mode: "auto" | "update" | "report";
  /** The Secret that holds the schedule. Messages name it. */
  readonly scheduleSecret: string | undefined;
  readonly unhealthySeconds: number;
  /** An annotation with an invalid value. */
  readonly wrong?: Wrong;
  /** A Helm chart made the settings: hints name its values. */
  readonly isOfChart: boolean;
};

export type Wrong = { readonly told: string; readonly hint: string };

/** The memory of earlier looks. */
export type ObjectMemory = {
  /** Why the record of earlier looks is unknown. */
  readonly unreadable: string | undefined;
  /** The channel's answers, including this one. */
  readonly heard: Heard;
  /** Since when every look found unready pods. */
  readonly unhealthySince: UnixSeconds | undefined;
  /** What earlier moves left in the record. */
  readonly standing: Standing;
};

/** Everything that a decision needs, seen once. */
export type ObjectFacts = {
  readonly now: UnixSeconds;
  readonly clock: ClockVerdict;
  /** Undefined if no object has that name. */
  readonly object: SeenObject | undefined;
  readonly answer: AnswerHeard;
  readonly schedule: KnownSchedule;
  readonly memory: ObjectMemory;
  /** The objects of this updater, including this one. */
  readonly all: readonly Member[];
  /** The digest of the image to set, if a registry gave it. */
  readonly digest?: string;
};

/** The facts for the gates that hosts have too, for an object that runs this image. */
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
        // Another digest is another image than the rejected one, whatever its tag.
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
  /** Since when all restarted pods have been ready. A moment between two crashes is no recovery. */
  readonly againSince: UnixSeconds;
};

/** Since when some pods were unavailable. Illness is measured by time, not by the number of events. */
export function illSince(
  before: UnixSeconds | undefined,
  { now, object, againSince, unhealthySeconds }: Wellness,
): UnixSeconds | undefined {
  if (object === undefined) return undefined;
  const isWell = object.status.available >= object.replicas;
  if (isWell && (before === undefined || now >= recoveredAt(againSince, unhealthySeconds))) return undefined;
  // A time in the future comes from a wrong clock.
  return before === undefined || before > now ? now : before;
}

/** When restarted pods will have been ready long enough. A node waits up to five minutes before it restarts a container. */
export function recoveredAt(againSince: UnixSeconds, unhealthySeconds: number): UnixSeconds {
  return againSince + Math.ceil(unhealthySeconds / 2);
}
