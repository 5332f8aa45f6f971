import type { LogFields } from "../../machine/logging/log.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { codeOf, concernsSomebody, endedEvent, eventOf, nextVersion, sentenceOf, slipEvent } from "../objects/event-text.ts";
import type { Ended } from "../objects/move-memory.ts";
import type { Decision } from "../objects/object-decision.ts";
import { slipOf } from "../objects/object-gates.ts";
import { wordsOf, type Kept } from "../objects/record.ts";
import type { Before, LookMemory, LookScope } from "./look-scope.ts";
import { writeEvent, type DueEvent } from "./write.ts";

/** Why the object is looked at: something has changed, or only time has passed. */
export type Cause = "event" | "time";

/** Keeps the newest failed Events for another try. Drops older ones, because the record holds their words. */
const mostOwed = 4;

type Telling = Before & {
  readonly cause: Cause;
  readonly kept: Kept;
  readonly now: UnixSeconds;
  /** The words of the record before this look. */
  readonly recorded: string | undefined;
  /** The move that this look found ended. */
  readonly ended: Ended | undefined;
};

/** Reports a new decision in the log and as an Event, and repeats the Event while somebody has to act. */
export async function tell(
  { cause, seen, kept, now, memory, recorded, ended }: Telling,
  scope: LookScope,
): Promise<Omit<LookMemory, "watched" | "keptField">> {
  const { decision } = kept;
  const { object } = seen;
  const words = wordsOf(decision);
  const isNew = words !== (memory === undefined ? recorded : memory.words);
  const isTriggered = memory !== undefined && object?.trigger !== undefined && object.trigger !== memory.trigger;
  const isReminder = !isNew && concernsSomebody(decision) && now - (memory?.remindedAt ?? now) >= scope.remindSeconds;
  if (isNew || isTriggered || cause === "time" || memory === undefined) log(kept, scope, isTriggered);
  const due: DueEvent[] = [...(memory?.owed ?? [])];
  const uid = object?.uid ?? "";
  if (ended !== undefined) {
    const event = endedEvent(ended);
    scope.log(event.type === "Warning" ? "warning" : "info", event.note, { object: scope.object.name });
    due.push({ ...event, uid, since: now });
  }
  if (isNew || isReminder) due.push({ ...eventOf(decision), uid, since: kept.since });
  const slip = object && slipOf(object);
  if (slip !== undefined && slip !== memory?.slip) {
    scope.log("warning", slip, {});
    due.push({ ...slipEvent(slip), uid, since: now });
  }
  const owed: DueEvent[] = [];
  for (const event of due) {
    const written = await writeEvent(event, { now, told: scope.told }, scope);
    if (written === "failed") owed.push({ ...event, isLate: true });
  }
  const remindedAt = isNew || isReminder ? now : (memory?.remindedAt ?? now);
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
