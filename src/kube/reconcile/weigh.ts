import { build } from "../../machine/program/program-build.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { wantedBy } from "../../rules/decide/served.ts";
import type { ChannelAnswer } from "../../rules/decide/gate-facts.ts";
import type { ApiServer } from "../api-server/api-server.ts";
import { begin, isFresh } from "../objects/advance.ts";
import type { Advance, MovePolicy } from "../objects/move-step.ts";
import { isExcused } from "../objects/blame-for-stuck-rollout.ts";
import { currentVersion, decide, notSeen, stayOf } from "../objects/decide-object.ts";
import { heed, keepHeldUp } from "../objects/people-ask.ts";
import { illSince, recoveredAt, type ObjectPolicy } from "../objects/object-facts.ts";
import { referenceOf } from "../objects/object-lift.ts";
import { passedOver } from "../objects/one-first.ts";
import { giveBackPatch } from "../objects/give-back.ts";
import type { Operation } from "../objects/image-patch.ts";
import { suspended } from "../objects/object-gates.ts";
import { judgeClocks } from "../objects/pod-clocks.ts";
import type { Member } from "../objects/member.ts";
import { keptIn, memoryIn, readStored, type Kept, type KeptReading, type Look } from "../objects/record.ts";
import { scheduleIn } from "../objects/schedule.ts";
import { takeStep } from "../objects/take-step.ts";
import { readyAgainSince, watchPods, type WatchedPod } from "../objects/watched-pods.ts";
import type { Standing } from "../objects/move-memory.ts";
import type { Channel } from "./channel.ts";
import { withLookup, type Lookup } from "./look-up-image.ts";
import type { Seen } from "./watched-objects.ts";

export type WeighScope = {
  readonly api: Pick<ApiServer, "clock">;
  readonly stopping: AbortSignal;
  readonly channel: Channel;
  /** Undefined if no registry is asked. */
  readonly lookup?: Lookup | undefined;
  readonly policyAt: (now: UnixSeconds) => ObjectPolicy;
  readonly now: () => UnixSeconds;
  readonly moving: MovePolicy;
  /** The objects of this updater at present. */
  readonly all: () => readonly Member[];
};

/** What this process has seen without a gap. */
export type Watched = {
  readonly since: UnixSeconds;
  /** Until when only causes for which no version is blamed delayed the object. */
  readonly excusedAt: UnixSeconds;
  /** The object's pods; undefined before the first look. */
  readonly pods: readonly WatchedPod[] | undefined;
};

/** What a look concludes before it writes anything. */
export type Weighed = {
  readonly now: UnixSeconds;
  readonly policy: ObjectPolicy;
  readonly reading: KeptReading;
  readonly before: Kept | undefined;
  readonly answer: ChannelAnswer;
  readonly watched: Watched;
  /** When restarted pods will have been ready for long enough. */
  readonly recoveredAt: UnixSeconds;
  /** The move as people and the record left it, before this look's step. */
  readonly move: Standing["move"];
  /** The step of the current move. */
  readonly taken: Advance | undefined;
  readonly isBegun: boolean;
  /** When to ask a registry that delays the object again. */
  readonly lookUpAgain: UnixSeconds | undefined;
  /** The operations that give the image's field back while no move is under way. */
  readonly givingBack: readonly Operation[] | undefined;
  readonly left: Look;
};

/** Sees, asks, and takes a step or decides. Undefined if it was stopped. `last` is undefined at the first look after a gap. */
export async function weigh(
  { object, own: seen, record, schedule: found, blind }: Seen,
  last: Watched | undefined,
  scope: WeighScope,
): Promise<Weighed | undefined> {
  const { api, channel, moving, stopping } = scope;
  const now = scope.now();
  const policy = scope.policyAt(now);
  const reading = readStored(record);
  const before = keptIn(reading);
  const memory = memoryIn(reading, object?.uid);
  const clock = judgeClocks({ now, witness: api.clock(), builtAt: build.builtAt, recordedAt: before?.at });
  const isUnseen = blind !== undefined && object === undefined;
  const current = isUnseen ? before?.current : currentVersion(object, policy);
  const { answer, heard } = await channel({ installed: current, now, clock, uid: object?.uid }, memory.heard);
  if (stopping.aborted) return undefined;
  const { container } = policy.object;
  const { revisions = [] } = memory.standing.move ?? {};
  const own = object && seen && watchPods(seen, last?.pods, { now, object, container });
  const { unhealthySeconds } = policy;
  const againSince = readyAgainSince(own?.pods ?? [], container);
  const unhealthySince = illSince(memory.unhealthySince, { now, object, againSince, unhealthySeconds });
  const watched = watchOn(last, object && own && { object, own, revisions }, now);
  const { since: seenSince, excusedAt } = watched;
  const isServerAway = answer.kind === "fault";
  const served = wantedBy(answer, policy.pin);
  const wanted = served.kind === "version" ? served.version : undefined;
  const { mode } = policy;
  const sight = object && own && { now, object, own, container, current, mode, isServerAway, wanted, seenSince, excusedAt };
  const heeded = sight === undefined || suspended(sight.object) !== undefined ? undefined : heed(memory.standing, sight);
  const remembered = heeded?.standing ?? memory.standing;
  const { move } = remembered;
  const { taken, standing: stepped } =
    sight === undefined ? { taken: undefined, standing: remembered } : takeStep(remembered, sight, moving);
  const schedule = scheduleIn(found, now);
  // Time in which pods were not seen makes none of them ill.
  const illSeen = unhealthySince === undefined ? undefined : Math.max(unhealthySince, seenSince);
  const memoryNow = { ...memory, heard, unhealthySince: illSeen, standing: stepped };
  const facts = { now, clock, object, answer, schedule, memory: memoryNow, all: scope.all() };
  // The move that was about to begin and was dropped.
  const dropped = move?.step === "begun" && stepped.move === undefined && isFresh(move, now) ? move : undefined;
  const isAskedAgain = dropped?.why === "asked";
  const asked = isAskedAgain ? "now" : (heeded?.asked ?? "timer");
  const asking: ObjectPolicy = { ...policy, asked: { when: asked } };
  const moved = taken?.said?.why === "moving" ? stepped.move : undefined;
  const ahead = moved === undefined ? "" : passedOver(facts.all, { to: moved.to, self: referenceOf(policy.object) });
  const { decision, again: lookUpAgain } =
    blind !== undefined
      ? { decision: notSeen(blind.told, policy), again: undefined }
      : taken?.said === undefined
        ? await withLookup(decide(facts, asking), { facts, policy: asking }, scope.lookup)
        : { decision: stayOf({ ...taken.said, told: `${taken.said.told}${ahead}` }, policy), again: undefined };
  if (stopping.aborted) return undefined;
  const isBegun = sight !== undefined && decision.kind === "move";
  const asks = isAskedAgain ? { ...stepped, heldUp: dropped.startedAt } : stepped;
  const held = keepHeldUp(asks, { decision, isOfRegistry: lookUpAgain !== undefined });
  const tries = isBegun && decision.target.to === dropped?.to ? dropped.tries : 0;
  const standing = isBegun ? begin(held, decision, { ...sight, tries }) : held;
  // While the record cannot be read, a move may be under way.
  const isAtRest = sight !== undefined && standing.move === undefined && reading.kind !== "unreadable";
  const givingBack = isAtRest ? giveBackPatch(sight.object, mode) : undefined;
  const windowOf = policy.window === undefined ? ("schedule" as const) : ("setting" as const);
  const left = { now, uid: isUnseen ? before?.uid : object?.uid, decision, current, heard, unhealthySince, windowOf, standing };
  return {
    now,
    policy,
    reading,
    before,
    answer,
    watched,
    recoveredAt: recoveredAt(againSince, unhealthySeconds),
    move,
    taken,
    isBegun,
    lookUpAgain,
    givingBack,
    left,
  };
}

/** A clock that was set back must not make anything wait. */
function watchOn(last: Watched | undefined, sight: Parameters<typeof isExcused>[0] | undefined, now: UnixSeconds): Watched {
  const isExcusedNow = sight !== undefined && isExcused(sight);
  const excusedAt = isExcusedNow ? now : Math.min(last?.excusedAt ?? 0, now);
  return { since: Math.min(last?.since ?? now, now), excusedAt, pods: sight?.own.pods ?? last?.pods ?? [] };
}
