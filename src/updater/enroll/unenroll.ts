import { asFault } from "../../rules/fault/explain.ts";
import { Fault } from "../../rules/fault/fault.ts";
import type { Done } from "./done.ts";
import { readEnrolment, saveEnrolment } from "./enrolment-file.ts";
import { removeFragment } from "./fragment-file.ts";
import { placesOf, schedulePlacesOf } from "./places.ts";
import { returnSchedule } from "./return-schedule.ts";
import type { EnrollScope } from "./scope.ts";
import { disableTimer, lookAtTimer } from "./timer.ts";

/**
 * Undoes what enroll did, and only that. Takes no lock, because a running pass has read its settings and finishes. Removes the record last, so that
 * an interrupted unenroll can be repeated.
 */
export async function unenrollHost(scope: Omit<EnrollScope, "ask">): Promise<readonly Done[]> {
  const places = placesOf(scope.paths);
  const enrolment = readEnrolment(places.enrolment);
  if (enrolment === undefined) return [];
  const { written, agentUid, schedule, before } = enrolment;
  // Returns this schedule, even if the settings name another one by now.
  const given = schedulePlacesOf(scope.paths, { onHost: schedule });
  const done: Done[] = [];
  try {
    done.push(await disableTimer(await lookAtTimer(scope), scope));
    done.push(removeFragment(places, written, before.settings));
    done.push(returnSchedule(given, { before, ownerUid: scope.ownerUid, agentUid }));
    saveEnrolment(places, undefined);
  } catch (thrown) {
    throw halfWay(asFault(thrown), done);
  }
  return done;
}

function halfWay({ code, message, hint, cause }: Fault, done: readonly Done[]): Fault {
  const so = done.length === 0 ? "nothing was taken back" : `so far: ${done.map(({ told }) => told).join("; ")}`;
  return new Fault(code, { message: `${message}; ${so}`, hint: `${hint}; then again: \`svc-upgrade unenroll\``, cause });
}
