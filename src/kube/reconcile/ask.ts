import { encode } from "../../rules/shape/write.ts";
import type { Version } from "../../rules/version/version.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { judgeRefusal, askPatch } from "../objects/image-patch.ts";
import { currentVersion } from "../objects/decide-object.ts";
import { liftOf, referenceOf } from "../objects/object-lift.ts";
import { suspended } from "../objects/object-gates.ts";
import { prepareAsk, type Prepared, type Wanted } from "../objects/prepare-ask.ts";
import { keptIn, readStored, type Kept } from "../objects/record.ts";
import { annotationOf, type Ask } from "../objects/seen.ts";
import type { UpdaterSettings } from "../objects/settings.ts";
import { decidedLine, servedBy, tellsMove } from "../objects/event-text.ts";
import { askAnswer } from "./json.ts";
import { objectPath } from "./paths.ts";
import { nowSeconds, policyAround } from "./scope.ts";
import type { Seen } from "./watched-objects.ts";
import type { Format } from "./status.ts";
import { faultOf, whileWatching, type Watching } from "./watching.ts";

/** The longest time from a request to the updater's act: gathering events, writing the record, and the watch's delay. */
const actsWithinSeconds = 20;
/** Only tests set a longer time to gather. */
const longestGatherSeconds = 60;

/** Writes a person's request into the object, and waits until the updater has acted. */
export function ask(wanted: Wanted, format: Format, { settings, stopping }: Asking): Promise<string> {
  return whileWatching({ kind: "settings", settings: [settings] }, { stopping }, async ({ api, first, seenWhen }) => {
    const now = nowSeconds();
    const policy = policyAround(settings, now);
    const { object, own, record } = first;
    const prepared = prepareAsk(wanted, { now, object, own, reading: readStored(record), policy });
    const held = suspended(prepared.object);
    await write(wanted.ask, prepared, { api, settings, stopping });
    const waitSeconds = actsWithinSeconds + Math.min(settings.deadlines.gather, longestGatherSeconds);
    const isActedOn = (seen: Seen): boolean => (keptIn(readStored(seen.record))?.heeded[wanted.ask] ?? 0) >= prepared.at;
    const acted = held === undefined ? await seenWhen(settings, isActedOn, waitSeconds * 1000) : undefined;
    const kept = acted && keptIn(readStored(acted.record));
    if (acted === undefined || kept === undefined) {
      const lift = held && liftOf(held.lift, policy);
      const waited = stopping.aborted ? "before it was stopped here" : `within ${waitSeconds} seconds`;
      const why = held === undefined ? `the updater has not acted on it ${waited}` : `it waits: ${held.told}`;
      throw new Fault("not-acted", {
        message: `${annotationOf[wanted.ask]} is set; ${why}`,
        hint:
          lift === undefined ? `see in the updater's log whether it runs; then \`svc-kube-updater status\`` : `resume: ${lift}`,
      });
    }
    const told = { name: settings.object, current: currentVersion(acted.object, policy), kept, wanted, prepared };
    return format === "json" ? jsonOf(told) : textOf(told);
  });
}

type Asking = { readonly settings: UpdaterSettings; readonly stopping: AbortSignal };

type Writing = { readonly api: Watching["api"]; readonly settings: UpdaterSettings; readonly stopping: AbortSignal };

async function write(asked: Ask, { object, value }: Prepared, { api, settings, stopping }: Writing): Promise<void> {
  const answered = await api.patch(objectPath(settings.object), askPatch(object, asked, value), stopping);
  if (answered.kind === "done") return;
  const what = `${annotationOf[asked]} of ${referenceOf(settings.object)} could not be set`;
  if (answered.kind === "unreachable") throw faultOf(what, answered, settings);
  const { kind: why, told } = judgeRefusal(answered);
  if (why === "changed") {
    throw new Fault("overtaken", {
      message: `${what}: ${told}`,
      hint: "see what it is now: `svc-kube-updater status`; then type it again",
    });
  }
  const hint = why === "no-right" ? "give the service account `patch` on it" : "see what refuses it, and type it again";
  throw new Fault("api-refused", { message: `${what}: ${told}`, hint });
}

type Acted = {
  readonly name: UpdaterSettings["object"];
  readonly current: Version | undefined;
  readonly kept: Kept;
  readonly wanted: Wanted;
  readonly prepared: Prepared;
};

function textOf({ name, current, kept, wanted, prepared: { cleared } }: Acted): string {
  const { decision } = kept;
  const served = servedBy(decision, kept);
  const line =
    decision.kind === "stop"
      ? `${decision.told}; ${decision.hint}`
      : served === undefined
        ? decision.told
        : decidedLine(decision, { current, served }, "does");
  const before = cleared.length === 0 ? "nothing was held back; " : `cleared: ${cleared.join("; ")}; `;
  const isMoving = decision.kind === "move" || tellsMove(decision);
  const follow = isMoving ? `; to follow it: \`kubectl -n ${name.namespace} rollout status ${referenceOf(name)}\`` : "";
  return `${wanted.ask === "retry" ? before : ""}${line}${follow}\n`;
}

function jsonOf({ name, current, kept, wanted, prepared: { at, cleared } }: Acted): string {
  const { decision, heard } = kept;
  const told = { name, current, served: servedBy(decision, kept), channel: heard.channel, decision };
  return `${JSON.stringify(encode(askAnswer, { ...told, ask: wanted.ask, at, cleared }))}\n`;
}
