import { isIll } from "../objects/object-facts.ts";
import { concernsSomebody } from "../objects/event-text.ts";
import { wordsOf } from "../objects/record.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { carryOut, type Done } from "./carry-out-look.ts";
import type { Before, LookMemory, LookScope } from "./look-scope.ts";
import { outcomeOf, type LookOutcome } from "./serve-pages.ts";
import { tell, type Cause } from "./tell-look.ts";
import { weigh, type Weighed } from "./weigh.ts";

export type Looked = {
  readonly memory: LookMemory;
  readonly outcome: LookOutcome;
  /** When to look again, whatever happens. */
  readonly until: UnixSeconds | undefined;
  /** Another process has written the record meanwhile. */
  readonly isOvertaken: boolean;
};

/** One look: sees, asks, takes a step or decides, writes the record, makes the change, reports. Undefined if it was stopped. */
export async function look(cause: Cause, { seen, memory }: Before, scope: LookScope): Promise<Looked | undefined> {
  const weighed = await weigh(seen, memory?.watched, scope);
  if (weighed === undefined) return undefined;
  const { now, policy, before, left } = weighed;
  const done = await carryOut(weighed, { seen, memory }, scope);
  const { kept, wrote, givenBack } = done;
  const keptField = givenBack?.kind === "refused" ? givenBack.told : undefined;
  if (keptField !== undefined && keptField !== memory?.keptField) {
    scope.log("warning", "the image's field stays this updater's: helm will find a conflict", {
      object: scope.object.name,
      why: keptField,
    });
  }
  const ended = typeof wrote !== "string" && kept.last?.at !== before?.last?.at ? kept.last : undefined;
  const telling = { cause, seen, kept, now, memory, recorded: before && wordsOf(before.decision), ended };
  const watched = seen.blind === undefined ? weighed.watched : undefined;
  const next = { ...(await tell(telling, scope)), watched, keptField };
  return {
    memory: next,
    outcome: outcomeOf(kept, isIll(left.unhealthySince, { now, unhealthySeconds: policy.unhealthySeconds })),
    until: againAt(weighed, { done, memory: next, scope }),
    isOvertaken: wrote === "overtaken",
  };
}

/** The wait after a record that could not be written, which delays a move. */
const afterFailureSeconds = 60;
/** The wait after a channel's fault. Hosts wait as long: a server that was away must not cost a window. */
const afterFaultSeconds = 600;
/** The wait before a failed Event is tried again. It may be long, because the record holds the same words. */
const eventAgainSeconds = 600;
/** The object's status changed before the field was given back. */
const giveBackAgainSeconds = 5;

type Looking = { readonly done: Done; readonly memory: LookMemory; readonly scope: LookScope };

/** The soonest time that anything waits for. */
function againAt(weighed: Weighed, { done, memory, scope }: Looking): UnixSeconds | undefined {
  const { now, policy, left } = weighed;
  const { decision, unhealthySince } = left;
  const times = [
    decision.kind === "stop" ? undefined : decision.until,
    weighed.answer.kind === "fault" ? now + afterFaultSeconds : undefined,
    weighed.lookUpAgain,
    done.givenBack?.kind === "again" ? now + giveBackAgainSeconds : undefined,
    // From this time on, the agent counts as ill.
    unhealthySince === undefined ? undefined : Math.max(unhealthySince, weighed.watched.since) + policy.unhealthySeconds,
    unhealthySince === undefined ? undefined : weighed.recoveredAt,
    concernsSomebody(decision) ? memory.remindedAt + scope.remindSeconds : undefined,
    memory.owed.length > 0 ? now + eventAgainSeconds : undefined,
  ].filter((time): time is UnixSeconds => time !== undefined && time > now);
  const step = nextStepAt(weighed, done);
  const soonest = Math.min(...times, step ?? Infinity);
  return soonest === Infinity ? undefined : soonest;
}

function nextStepAt({ now, isBegun, move, taken }: Weighed, { kept, wrote }: Done): UnixSeconds | undefined {
  // A failed patch counts as another step, so that the next look reports it at once.
  const hasFailed = move?.trouble === undefined && kept.move?.trouble !== undefined;
  const isAnother = kept.move?.step !== move?.step || hasFailed;
  const next = isBegun || (taken !== undefined && isAnother) ? now : taken?.until;
  return wrote === "failed" || wrote === "unsure" ? Math.max(next ?? 0, now + afterFailureSeconds) : next;
}
