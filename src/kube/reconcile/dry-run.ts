import type { Of } from "../../rules/shape/shape.ts";
import { encode } from "../../rules/shape/write.ts";
import type { Log } from "../../machine/logging/log.ts";
import { compare } from "../../rules/decide/comparison.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { proxyVariablesIn } from "../../rules/route/route.ts";
import { printInstant } from "../../rules/window/instant.ts";
import { hintFor } from "../objects/hint.ts";
import type { Look } from "../objects/record.ts";
import type { Decision } from "../objects/object-decision.ts";
import { referenceOf } from "../objects/object-lift.ts";
import type { EachObject, Followed, UpdaterSettings } from "../objects/settings.ts";
import { concernsSomebody, decidedLine } from "../objects/event-text.ts";
import { dryRunAnswer } from "./json.ts";
import { openAllObjects } from "./all-objects.ts";
import { scopeOpener } from "./scope.ts";
import type { Format } from "./status.ts";
import { stopped, whileWatching } from "./watching.ts";
import { weigh, type Watched, type Weighed } from "./weigh.ts";

type Trying = {
  /** Chooses the objects to report. The others are weighed too, because one may wait for another. */
  readonly choose: (each: EachObject) => readonly UpdaterSettings[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly stopping: AbortSignal;
};

export type DryRun = { readonly answer: string; readonly isAvailable: boolean };

/** Reports what the updater's next looks would decide. Cannot write anything. */
export function dryRun(followed: Followed, format: Format, trying: Trying): Promise<DryRun> {
  const { choose, environment, log, stopping } = trying;
  const proxies = proxyVariablesIn(environment);
  return whileWatching(followed, { stopping }, async ({ api, sights, each, seen }) => {
    const chosen = choose(each);
    const weighed = new Map<UpdaterSettings, Look>();
    const all = openAllObjects(sights);
    const scopeOf = scopeOpener(followed, { api, proxies, log, stopping, all: () => all(weighed) });
    const found: Found[] = [];
    for (const [settings, one] of seen) {
      const came = await weigh(one, sinceEver, scopeOf(settings));
      if (came === undefined) throw stopped();
      weighed.set(settings, came.left);
      if (chosen.includes(settings)) found.push({ settings, ...came });
    }
    // If only one object was found, its fault is the whole answer.
    if (found.length === 1) for (const one of found) refuseFaults(one);
    for (const one of found) tell(one, log);
    const isAvailable = found.some((one) => comparisonOf(one)?.isAvailable);
    if (format === "json") return { answer: `${JSON.stringify(encode(dryRunAnswer, found.map(toldOf)))}\n`, isAvailable };
    const lines = found.map((one) => `${found.length === 1 ? "" : `${referenceOf(one.settings.object)}: `}${lineOf(one)}\n`);
    return { answer: lines.join(""), isAvailable };
  });
}

/** As if this process had watched all the time, because the updater has. */
const sinceEver: Watched = { since: 0, excusedAt: 0, pods: undefined };

type Found = Weighed & { readonly settings: UpdaterSettings };

function comparisonOf({ answer, left: { current, decision } }: Found): ReturnType<typeof compare> | undefined {
  return answer.kind === "fault" || decision.kind === "stop" ? undefined : compare(current, answer.served);
}

function lineOf(one: Found): string {
  const { answer, left } = one;
  const { decision } = left;
  if (decision.kind === "stop") return `${decision.told}; ${decision.hint}`;
  // A pin needs no answer of the channel, but a dry run also shows the served version.
  if (answer.kind === "fault") return `${decision.told}; ${answer.fault.message}`;
  return compare(left.current, answer.served).line;
}

function toldOf({ settings, answer, left: { current, decision } }: Found): ToldHere {
  const served = answer.kind === "fault" ? undefined : answer.served;
  return { name: settings.object, current, served, channel: settings.channel, decision };
}

type ToldHere = Of<typeof dryRunAnswer>[number];

/** Logs what the updater would do. */
function tell(one: Found, log: Log): void {
  const { settings, answer, left } = one;
  const { decision, current } = left;
  const line =
    decision.kind === "stop" || answer.kind === "fault"
      ? lineOf(one)
      : decidedLine(decision, { current, served: answer.served }, "would");
  const isTrouble = answer.kind === "fault" || concernsSomebody(decision);
  log(isTrouble ? "warning" : "info", line, {
    object: referenceOf(settings.object),
    channel: settings.channel,
    why: decision.kind === "stop" ? decision.code : decision.why,
    until: untilOf(decision),
  });
}

function untilOf(decision: Decision): string | undefined {
  return decision.kind === "stop" || decision.until === undefined ? undefined : printInstant(decision.until);
}

function refuseFaults({ answer, left: { decision } }: Found): void {
  if (decision.kind === "stop") {
    const { code, told: message, hint } = decision;
    throw new Fault(code, { message, hint });
  }
  if (answer.kind !== "fault") return;
  const { code, message } = answer.fault;
  throw new Fault(code, { message: `${decision.told}; ${message}`, hint: hintFor(code) });
}
