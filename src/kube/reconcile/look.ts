import { build } from "../../machine/host/program-build.ts";
import type { LogFields } from "../../machine/host/log.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { judgeClocks } from "../objects/clock.ts";
import { currentVersion, decide } from "../objects/decide.ts";
import type { Decision } from "../objects/decision.ts";
import { illSince, type ObjectPolicy } from "../objects/facts.ts";
import { slipOf } from "../objects/object-gates.ts";
import { isNews, memoryIn, nextKept, readKept, wordsOf, type Kept } from "../objects/record.ts";
import { scheduleIn } from "../objects/schedule.ts";
import { codeOf, concernsSomebody, eventOf, nextVersion, sentenceOf, slipEvent } from "../objects/tell.ts";
import type { Channel } from "./channel.ts";
import type { Seen, Sights } from "./sights.ts";
import { writeEvent, writeRecord, type ToldEvent, type WriteScope } from "./write.ts";

export type LookScope = WriteScope & {
  readonly sights: Sights;
  readonly channel: Channel;
  readonly policyAt: (now: UnixSeconds) => ObjectPolicy;
  readonly now: () => UnixSeconds;
  readonly remindSeconds: number;
  readonly told: Map<string, ToldEvent>;
};

/** What this process remembers between two looks; the rest is in the record. */
export type Lately = {
  /** The decision that was told last. */
  readonly words: string | undefined;
  readonly remindedAt: UnixSeconds;
  readonly trigger: string | undefined;
  readonly slip: string | undefined;
};

/** What is seen, and what the last look left. */
export type Before = { readonly seen: Seen; readonly lately: Lately | undefined };

export type Looked = {
  readonly lately: Lately;
  /** When to look again, whatever happens. */
  readonly until: UnixSeconds | undefined;
  /** Somebody else has written the record meanwhile. */
  readonly isOvertaken: boolean;
};

/** Why it is looked: something has changed, or only time has passed. */
export type Cause = "event" | "time";

/** One look: see, ask, decide, write it down, tell. Undefined: it was stopped. */
export async function look(cause: Cause, { seen, lately }: Before, scope: LookScope): Promise<Looked | undefined> {
  const { api, channel, sights, stopping } = scope;
  const { object, record } = seen;
  const now = scope.now();
  const policy = scope.policyAt(now);
  const reading = readKept(record?.record);
  const before = reading.kind === "kept" ? reading.record : undefined;
  const memory = memoryIn(reading, object?.uid);
  const clock = judgeClocks({ now, witness: api.clock(), builtAt: build.builtAt, recordedAt: before?.at });
  const current = currentVersion(object, policy);
  const { answer, heard } = await channel({ installed: current, now, clock }, memory.heard);
  if (stopping.aborted) return undefined;
  const ill = illSince(memory.unhealthySince, object, now);
  const schedule = scheduleIn(seen.schedule, now);
  const decision = decide({ now, clock, object, answer, schedule, memory: { ...memory, heard, unhealthySince: ill } }, policy);
  const kept = nextKept(before, {
    now,
    uid: object?.uid,
    decision,
    current,
    heard,
    unhealthySince: ill,
    standing: memory.standing,
  });
  let isOvertaken = false;
  // What cannot be read is left to who can.
  if (reading.kind !== "unreadable" && isNews(before, kept)) {
    const wrote = await writeRecord(kept, record, scope);
    if (wrote === "overtaken") {
      isOvertaken = true;
      sights.overtaken();
    } else if (wrote !== "failed") sights.wrote(wrote);
  }
  const told = await tell({ cause, seen, kept, now, lately, recorded: before && wordsOf(before.decision) }, scope);
  const times = [
    decision.kind === "stop" ? undefined : decision.until,
    answer.kind === "fault" ? now + afterFaultSeconds : undefined,
    // From then on it counts as ill.
    ill === undefined ? undefined : ill + policy.unhealthySeconds,
    concernsSomebody(decision) ? told.remindedAt + scope.remindSeconds : undefined,
  ].filter((time): time is UnixSeconds => time !== undefined && time > now);
  return { lately: told, until: times.length === 0 ? undefined : Math.min(...times), isOvertaken };
}

/** As often as hosts ask: a window must not pass while a server that was away is there again. */
const afterFaultSeconds = 600;

type Telling = Before & {
  readonly cause: Cause;
  readonly kept: Kept;
  readonly now: UnixSeconds;
  /** What the record told before. */
  readonly recorded: string | undefined;
};

async function tell({ cause, seen, kept, now, lately, recorded }: Telling, scope: LookScope): Promise<Lately> {
  const { decision } = kept;
  const { object } = seen;
  const words = wordsOf(decision);
  const isNew = words !== (lately === undefined ? recorded : lately.words);
  const isTriggered = lately !== undefined && object?.trigger !== undefined && object.trigger !== lately.trigger;
  const isReminder = !isNew && concernsSomebody(decision) && now - (lately?.remindedAt ?? now) >= scope.remindSeconds;
  if (isNew || isTriggered || cause === "time" || lately === undefined) log(kept, scope, isTriggered);
  const telling = { uid: object?.uid ?? "", now, told: scope.told };
  if (isNew || isReminder) await writeEvent(eventOf(decision), { ...telling, since: kept.since }, scope);
  const slip = object && slipOf(object);
  if (slip !== undefined && slip !== lately?.slip) {
    scope.log("warning", slip, {});
    await writeEvent(slipEvent(slip), { ...telling, since: now }, scope);
  }
  const remindedAt = isNew || isReminder ? now : (lately?.remindedAt ?? now);
  return { words, remindedAt, trigger: object?.trigger, slip };
}

function log(kept: Kept, { log: write, object: { kind, name } }: LookScope, isTriggered: boolean): void {
  const { decision, current } = kept;
  const fields: LogFields = { object: name, current, next: nextVersion(decision, kept) };
  if (isTriggered) write("info", "a look was asked for by debug.svc.dev/trigger-event", { object: name });
  if (decision.kind === "stay" && decision.why === "current") {
    write("info", `the ${kind.toLowerCase()} is already up to date`, fields);
    return;
  }
  write(concernsSomebody(decision) ? "warning" : "info", sentenceOf(decision), {
    ...fields,
    reason: codeOf(decision),
    hint: hintOf(decision),
  });
}

function hintOf(decision: Decision): string | undefined {
  if (decision.kind === "stop") return decision.hint;
  return decision.kind === "stay" ? decision.lift : undefined;
}
