import { Fault, type FaultData } from "../../rules/fault/fault.ts";
import { withLocks } from "../pass/pass-under-locks.ts";
import type { Paths } from "../../machine/files/paths.ts";
import { shellWord } from "../../rules/text/shell-word.ts";
import type { FileOnHost } from "../../rules/settings/settings.ts";
import { originText } from "../../rules/settings/explain.ts";
import type { NamedAccount } from "./accounts.ts";
import { findAgentUser } from "./agent-user.ts";
import { choose, type Chosen, type WantedEnrolment } from "./choose-settings.ts";
import type { Done } from "./done.ts";
import type { Enrolment } from "./enrolment.ts";
import { readEnrolment, saveEnrolment } from "./enrolment-file.ts";
import { lookAtFragment, lookAtSettings, restoreFragment, writeFragment } from "./fragment-file.ts";
import { fragmentText } from "./fragment.ts";
import { giveSchedule } from "./give-schedule.ts";
import { placesOf, schedulePlacesOf, type Places } from "./places.ts";
import { returnSchedule } from "./return-schedule.ts";
import { isGiven, lookAtSchedule } from "./schedule-found.ts";
import type { EnrollScope } from "./scope.ts";
import { runSteps, type Step } from "./steps.ts";
import { enableTimer, lookAtTimer, refuseUnusable, restoreTimer } from "./timer.ts";
import { timerUnit as timer } from "../unit/timer.ts";

export type EnrollWanted = WantedEnrolment & { readonly agentUser: string | undefined };

/** Looks at everything, then asks the endpoint. Changes something only after a good answer. */
export function enrollHost(wanted: EnrollWanted, scope: EnrollScope): Promise<readonly Done[]> {
  const { paths } = scope;
  return withLocks({ paths, locks: [paths.lock, paths.changeLock], doing: "enroll" }, async () => {
    const places = placesOf(scope.paths);
    const earlier = readEnrolment(places.enrolment);
    const chosen = await choose(wanted, scope);
    refuseOtherSchedule(earlier, chosen, paths);
    tell(chosen, scope);
    const { unit } = chosen.settings.agent;
    const user = await findAgentUser({ user: wanted.agentUser, unit, earlierUid: earlier?.agentUid }, scope);
    const steps = await prepareSteps(
      { places, schedule: chosen.settings.agentFiles.schedule, earlier, text: fragmentText(chosen.values), user },
      scope,
    );
    const answer = await scope.ask(chosen.settings, chosen.endpoint);
    if (answer.kind === "fault") throw unanswered(answer.fault);
    if (scope.stopping.aborted) throw stopped();
    return runSteps(steps);
  });
}

type Plan = {
  readonly places: Places;
  readonly schedule: FileOnHost;
  readonly earlier: Enrolment | undefined;
  readonly text: string;
  readonly user: NamedAccount;
};

/** Refuses everything that can be refused before the endpoint is asked. */
async function prepareSteps({ places, schedule, earlier, text, user }: Plan, scope: EnrollScope): Promise<readonly Step[]> {
  const { ownerUid } = scope;
  const settings = lookAtSettings(places, ownerUid);
  const fragment = lookAtFragment(places.fragment, text, earlier?.written ?? []);
  const owners = [ownerUid, user.uid, ...(earlier === undefined ? [] : [earlier.agentUid])];
  const given = schedulePlacesOf(scope.paths, schedule);
  const found = lookAtSchedule(given, { owners, agentUid: user.uid });
  const standing = await lookAtTimer(scope);
  refuseUnusable(standing, scope);
  const before = earlier?.before ?? { settings, ...found };
  const enrolment = { written: [text], agentUid: user.uid, schedule: schedule.onHost, before };
  const meanwhile = { ...enrolment, written: fragment.kind === "earlier" ? [fragment.text, text] : [text] };
  return [
    {
      // Writes this first: wherever enrolling stops, unenroll knows what to undo.
      on: places.enrolment,
      act: () => saveEnrolment(places, meanwhile),
      undo: () => saveEnrolment(places, earlier),
    },
    {
      on: places.fragment,
      act: () => writeFragment(places, text, fragment),
      undo: () => restoreFragment(places, fragment, settings),
    },
    {
      on: given.schedule,
      act: () => giveSchedule(given, { found, user, ownerUid, owners }),
      undo: () => {
        if (!isGiven(found, user.uid)) returnSchedule(given, { before: found, ownerUid, agentUid: user.uid });
      },
    },
    { on: timer, act: () => enableTimer(standing, scope), undo: () => restoreTimer(standing, scope) },
    { on: places.enrolment, act: () => saveEnrolment(places, enrolment), undo: () => undefined },
  ];
}

/** Refuses a second schedule: the earlier one has to be returned first. */
function refuseOtherSchedule(earlier: Enrolment | undefined, { settings, values }: Chosen, { root }: Paths): void {
  const { schedule } = settings.agentFiles;
  if (earlier === undefined || earlier.schedule === schedule.onHost) return;
  const below = root === "/" ? "" : ` --root ${shellWord(root)}`;
  const flags = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : ` --${name} ${shellWord(value)}`));
  throw new Fault("file-failed", {
    message: `this host is enrolled with ${earlier.schedule}, and agent.schedule_file is now ${schedule.onHost}; nothing was changed`,
    hint: `take the one back, then give the other: sudo svc-upgrade unenroll${below} && sudo svc-upgrade enroll${below}${flags.join("")}`,
  });
}

function tell({ foundIn, endpoint, overruled }: Chosen, { log, paths }: EnrollScope): void {
  const { fragment } = placesOf(paths);
  if (foundIn !== undefined) log("info", `the endpoint is the one in ${originText(foundIn)}`, { endpoint });
  for (const { key, value, origin } of overruled) {
    log("warning", `${originText(origin)} has a later name than ${fragment}, so its ${key} wins`, { [key]: String(value) });
  }
}

function unanswered({ code, message, hint, causes }: FaultData): Fault {
  return new Fault(code, { message: `${message}; nothing was changed`, hint, cause: causes[0] });
}

function stopped(): Fault {
  return new Fault("stopping", { message: "asked to stop; nothing was changed", hint: "enroll again when it suits" });
}
