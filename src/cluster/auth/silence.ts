import { daySeconds, hourSeconds } from "../../rules/window/seconds.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { absencesIn, type Absence } from "./absence.ts";
import type { AuthContext } from "./context.ts";
import type { Reported } from "./known-instances.ts";

export type Judging = { readonly now: UnixSeconds; readonly reportSeconds: number; readonly absences: readonly Absence[] };

export async function judgingBy({ now, times, store }: Pick<AuthContext, "now" | "times" | "store">): Promise<Judging> {
  return { now: now(), reportSeconds: times.reportSeconds, absences: await absencesIn(store) };
}

const mostMissed = 3;
const forgottenSeconds = 30 * daySeconds;
const ephemeralSeconds = hourSeconds;

/** `gone`: the instance said that it would stop. */
export type Standing = { readonly silent: boolean; readonly gone: boolean };

export function standingOf({ row, report }: Reported, judging: Judging): Standing {
  if (report?.goodbye === true) return { silent: false, gone: true };
  // Auth joined without a token. If nothing reports for it, its certificate shows whether it runs.
  if (report === undefined && row.kind === "auth" && row.token === "")
    return { silent: judging.now >= row.certificate_until, gone: false };
  const silentSeconds = secondsSince(report?.at ?? row.joined, judging);
  return { silent: silentSeconds > mostMissed * judging.reportSeconds, gone: false };
}

/** Whether to leave an instance out of lists and counts until it reports or renews again. Earlier releases only renew. */
export function isForgotten({ row, report }: Reported, judging: Judging): boolean {
  const kept = Math.max(row.ephemeral ? ephemeralSeconds : forgottenSeconds, mostMissed * judging.reportSeconds);
  return secondsSince(Math.max(report?.at ?? 0, row.renewed), judging) > kept;
}

/** The seconds since `at` in which an auth took reports. */
export function secondsSince(at: UnixSeconds, { now, absences }: Judging): number {
  const absent = absences.map(({ from, until }) => Math.max(0, Math.min(until, now) - Math.max(from, at)));
  return now - at - absent.reduce((sum, each) => sum + each, 0);
}
