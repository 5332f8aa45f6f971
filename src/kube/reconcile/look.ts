import type { LogFields } from "../../machine/logging/log.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { answered as answeredStanding } from "../objects/advance.ts";
import type { Decision } from "../objects/object-decision.ts";
import { isIll } from "../objects/object-facts.ts";
import { slipOf } from "../objects/object-gates.ts";
import { isNews, nextKept, wordsOf, type Kept } from "../objects/record.ts";
import { codeOf, concernsSomebody, endedEvent, eventOf, nextVersion, sentenceOf, slipEvent } from "../objects/event-text.ts";
import type { Ended } from "../objects/move-memory.ts";
import type { StoredRecord } from "../objects/stored.ts";
import { act, giveBack } from "./carry-out-step.ts";
import type { ObjectSights } from "./object-sights.ts";
import { outcomeOf, type LookOutcome } from "./serve-pages.ts";
import type { Seen } from "./watched-objects.ts";
import { weigh, type Watched, type WeighScope } from "./weigh.ts";
import { writeEvent, writeRecord, type DueEvent, type NotWritten, type ToldEvent, type WriteScope } from "./write.ts";

export type LookScope = WriteScope &
  WeighScope & {
    readonly sights: Pick<ObjectSights, "wrote" | "overtaken" | "unsure" | "isUnsure">;
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
  /** Events that could not be written: each look tries them again. */
  readonly owed: readonly DueEvent[];
  /** Undefined: since then something could not be seen. */
  readonly watched: Watched | undefined;
  /** Why the image's field could not be given back. */
  readonly keptField: string | undefined;
};

/** What is seen, and what the last look left. */
export type Before = { readonly seen: Seen; readonly lately: Lately | undefined };

export type Looked = {
  readonly lately: Lately;
  readonly outcome: LookOutcome;
  /** When to look again, whatever happens. */
  readonly until: UnixSeconds | undefined;
  /** Somebody else has written the record meanwhile. */
  readonly isOvertaken: boolean;
};

/** Why it is looked: something has changed, or only time has passed. */
export type Cause = "event" | "time";

/** One look: see, ask, take a step or decide, write it down, do it, tell. Undefined: it was stopped. */
export async function look(cause: Cause, { seen, lately }: Before, scope: LookScope): Promise<Looked | undefined> {
  const weighed = await weigh(seen, lately?.watched, scope);
  if (weighed === undefined) return undefined;
  const { now, policy, reading, before, answer, move, taken, isBegun, left } = weighed;
  const { record } = seen;
  const { container } = policy.object;
  const { decision, unhealthySince } = left;
  let { standing } = left;
  let kept = nextKept(before, left);
  // What cannot be read is left to who can.
  const isDue = record?.isWiped === true || scope.sights.isUnsure() || isNews(before, kept);
  const isWritten = isDue && reading.kind !== "unreadable" && seen.blind?.record !== "unknown";
  // What cannot be read stays as it is, and what people read says so.
  const isStale = reading.kind === "unreadable" && lately?.words !== wordsOf(decision);
  if (isStale && record !== undefined) await writeRecord(kept, record, { ...scope, what: "status" });
  if (record?.isWiped === true) scope.log("warning", "the record was wiped, and is written again", { object: scope.object.name });
  let wrote = isWritten ? await keep(kept, record, scope) : record;
  const change = typeof wrote === "string" ? undefined : taken?.change;
  if (change !== undefined && standing.move !== undefined) {
    const answered = await act(change, scope);
    if (answered !== undefined) {
      standing = answeredStanding({ ...standing, move: standing.move }, answered, { now, container });
      kept = nextKept(kept, { ...left, standing });
      wrote = await keep(kept, wrote as StoredRecord | undefined, scope);
    }
  }
  const isKept = typeof wrote !== "string";
  // Until the end of the move is written, the entry protects it.
  const givenBack = isKept && weighed.givingBack !== undefined ? await giveBack(weighed.givingBack, scope) : undefined;
  const keptField = givenBack?.kind === "refused" ? givenBack.told : undefined;
  if (keptField !== undefined && keptField !== lately?.keptField) {
    scope.log("warning", "the image's field stays this updater's: helm will find a conflict", {
      object: scope.object.name,
      why: keptField,
    });
  }
  const ended = isKept && kept.last?.at !== before?.last?.at ? kept.last : undefined;
  const telling = { cause, seen, kept, now, lately, recorded: before && wordsOf(before.decision), ended };
  const told = { ...(await tell(telling, scope)), watched: seen.blind === undefined ? weighed.watched : undefined, keptField };
  const times = [
    decision.kind === "stop" ? undefined : decision.until,
    answer.kind === "fault" ? now + afterFaultSeconds : undefined,
    weighed.lookUpAgain,
    givenBack?.kind === "again" ? now + giveBackAgainSeconds : undefined,
    // From then on it counts as ill.
    unhealthySince === undefined ? undefined : Math.max(unhealthySince, weighed.watched.since) + policy.unhealthySeconds,
    unhealthySince === undefined ? undefined : weighed.recoveredAt,
    concernsSomebody(decision) ? told.remindedAt + scope.remindSeconds : undefined,
    told.owed.length > 0 ? now + eventAgainSeconds : undefined,
  ].filter((time): time is UnixSeconds => time !== undefined && time > now);
  // The answer to a patch is another step, too; why it failed is told by the next look.
  const hasFailed = move?.trouble === undefined && standing.move?.trouble !== undefined;
  const isAnother = standing.move?.step !== move?.step || hasFailed;
  const next = isBegun || (taken !== undefined && isAnother) ? now : taken?.until;
  const soonest = wrote === "failed" || wrote === "unsure" ? Math.max(next ?? 0, now + afterFailureSeconds) : next;
  return {
    lately: told,
    outcome: outcomeOf(kept, isIll(unhealthySince, { now, unhealthySeconds: policy.unhealthySeconds })),
    until: earliest(soonest === undefined ? times : [...times, soonest]),
    isOvertaken: wrote === "overtaken",
  };
}

function earliest(times: readonly UnixSeconds[]): UnixSeconds | undefined {
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Writes the record over the one that was seen, and remembers what is there now. */
async function keep(kept: Kept, before: StoredRecord | undefined, scope: LookScope): Promise<StoredRecord | NotWritten> {
  const wrote = await writeRecord(kept, before, scope);
  if (typeof wrote !== "string") scope.sights.wrote(wrote);
  else if (wrote !== "failed") scope.sights[wrote]();
  return wrote;
}

/** A record that could not be written holds up a move. */
const afterFailureSeconds = 60;
/** As often as hosts ask: a window must not pass while a server that was away is there again. */
const afterFaultSeconds = 600;
/** The record says the same. */
const eventAgainSeconds = 600;
const mostOwed = 4;
/** Somebody has written a status between seeing and giving back. */
const giveBackAgainSeconds = 5;

type Telling = Before & {
  readonly cause: Cause;
  readonly kept: Kept;
  readonly now: UnixSeconds;
  /** What the record told before. */
  readonly recorded: string | undefined;
  /** The move that this look has ended. */
  readonly ended: Ended | undefined;
};

async function tell(
  { cause, seen, kept, now, lately, recorded, ended }: Telling,
  scope: LookScope,
): Promise<Omit<Lately, "watched" | "keptField">> {
  const { decision } = kept;
  const { object } = seen;
  const words = wordsOf(decision);
  const isNew = words !== (lately === undefined ? recorded : lately.words);
  const isTriggered = lately !== undefined && object?.trigger !== undefined && object.trigger !== lately.trigger;
  const isReminder = !isNew && concernsSomebody(decision) && now - (lately?.remindedAt ?? now) >= scope.remindSeconds;
  if (isNew || isTriggered || cause === "time" || lately === undefined) log(kept, scope, isTriggered);
  const due: DueEvent[] = [...(lately?.owed ?? [])];
  const uid = object?.uid ?? "";
  if (ended !== undefined) {
    const event = endedEvent(ended);
    scope.log(event.type === "Warning" ? "warning" : "info", event.note, { object: scope.object.name });
    due.push({ ...event, uid, since: now });
  }
  if (isNew || isReminder) due.push({ ...eventOf(decision), uid, since: kept.since });
  const slip = object && slipOf(object);
  if (slip !== undefined && slip !== lately?.slip) {
    scope.log("warning", slip, {});
    due.push({ ...slipEvent(slip), uid, since: now });
  }
  const owed: DueEvent[] = [];
  for (const event of due) {
    const written = await writeEvent(event, { now, told: scope.told }, scope);
    if (written === "failed") owed.push({ ...event, isLate: true });
  }
  const remindedAt = isNew || isReminder ? now : (lately?.remindedAt ?? now);
  return { words, remindedAt, trigger: object?.trigger, slip, owed: owed.slice(-mostOwed) };
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
