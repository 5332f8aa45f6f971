import { daySeconds, hourSeconds } from "../../rules/window/seconds.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Reported } from "./reported.ts";

export type Judging = { readonly now: UnixSeconds; readonly reportSeconds: number };

const mostMissed = 3;
const forgottenSeconds = 30 * daySeconds;
const ephemeralSeconds = hourSeconds;

/** `gone`: it went down in order, and its silence is no fault. */
export type Standing = { readonly silent: boolean; readonly gone: boolean };

export function standingOf({ row, report }: Reported, { now, reportSeconds }: Judging): Standing {
  if (report?.goodbye === true) return { silent: false, gone: true };
  // Auth itself joined by no token. Where nothing reports for it, its certificate says whether it runs: it renews that by itself.
  if (report === undefined && row.kind === "auth" && row.token === "")
    return { silent: now >= row.certificate_until, gone: false };
  return { silent: now - (report?.at ?? row.joined) > mostMissed * reportSeconds, gone: false };
}

/** Left out of lists and counts until it reports again, or renews its certificate: a program of an earlier release does only that. */
export function isForgotten({ row, report }: Reported, { now, reportSeconds }: Judging): boolean {
  const kept = Math.max(row.ephemeral ? ephemeralSeconds : forgottenSeconds, mostMissed * reportSeconds);
  return now - Math.max(report?.at ?? 0, row.renewed) > kept;
}
