import type { Log } from "../../machine/logging/log.ts";
import { compare } from "../../rules/decide/comparison.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { proxyVariablesIn } from "../../rules/route/route.ts";
import { printInstant } from "../../rules/window/instant.ts";
import { hintFor } from "../objects/hint.ts";
import type { Stop } from "../objects/object-decision.ts";
import { isObjectFault, ObjectFault } from "../objects/object-fault.ts";
import type { UpdaterSettings } from "../objects/settings.ts";
import { concernsSomebody, decidedLine } from "../objects/event-text.ts";
import { dryRunAnswer } from "./json.ts";
import { weighScope } from "./scope.ts";
import type { Format } from "./status.ts";
import { stopped, whileWatching } from "./watching.ts";
import { weigh } from "./weigh.ts";

type Trying = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly stopping: AbortSignal;
};

export type DryRun = { readonly answer: string; readonly isAvailable: boolean };

/** The same decision as the updater's next look, with nothing behind it that could write. */
export function dryRun(settings: UpdaterSettings, format: Format, { environment, log, stopping }: Trying): Promise<DryRun> {
  const proxies = proxyVariablesIn(environment);
  return whileWatching(settings, stopping, async ({ api, first }) => {
    const weighed = await weigh(first, new Map(), weighScope(settings, { api, proxies, log, stopping }));
    if (weighed === undefined) throw stopped();
    const { answer, left } = weighed;
    const { decision, current } = left;
    if (decision.kind === "stop") throw faultOf(decision);
    if (answer.kind === "fault") {
      // What is pinned needs no answer; but what a dry run compares are versions.
      const { code, message } = answer.fault;
      throw new Fault(code, { message: `${decision.told}; ${message}`, hint: hintFor(code) });
    }
    const { served } = answer;
    log(concernsSomebody(decision) ? "warning" : "info", decidedLine(decision, { current, served }, "would"), {
      channel: settings.channel,
      why: decision.why,
      until: decision.until === undefined ? undefined : printInstant(decision.until),
    });
    const { line, isAvailable } = compare(current, served);
    const told = { name: settings.object, current, served, channel: settings.channel, decision };
    return { answer: format === "json" ? `${JSON.stringify(dryRunAnswer.write(told))}\n` : `${line}\n`, isAvailable };
  });
}

function faultOf({ code, told: message, hint }: Stop): Error {
  return isObjectFault(code) ? new ObjectFault(code, { message, hint }) : new Fault(code, { message, hint });
}
