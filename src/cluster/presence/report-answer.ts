import type { OpeningJson, ReportResponseJson } from "../api/generated/svc/v1/inventory_pb.ts";
import { parseAddress, type HostPort } from "../../rules/route/host-port.ts";
import { parseInstant } from "../../rules/window/instant.ts";
import type { Window } from "../../rules/window/window.ts";

/** Auth's answer to a report. No part of it starts a command on this host. */
export type ReportAnswer = {
  readonly hasWindow: boolean;
  readonly openings: readonly Window[];
  /** When to report again. */
  readonly afterSeconds: number;
  /** Empty if auth's release does not send it. */
  readonly authVersion: string;
  /** Where clients reach the cluster's proxies. */
  readonly proxies: readonly HostPort[];
  /** For the host's administrators. */
  readonly note: string | undefined;
};

const [least, usual, most] = [1, 600, 3600];
/** Enough for one-hour openings during eight days. The schedule's reader accepts no larger file. */
const mostOpenings = 1000;
/** The last second that a schedule can contain. */
const lastSecond = 9_999_999_999;

/** Reads auth's answer. "unusable": some openings are invalid, and no schedule is made of the others. */
export function readReportAnswer({
  hasWindow = false,
  openings = [],
  reportAfterSeconds,
  authVersion = "",
  proxies = [],
  note = "",
}: ReportResponseJson): ReportAnswer | "unusable" {
  if (!Array.isArray(openings) || openings.length > mostOpenings) return "unusable";
  const windows = openings.map(readOpening).filter((one) => one !== undefined);
  // A window without any opening is unusable too: the updater would take the schedule for one that has run out.
  if (windows.length < openings.length || (hasWindow && windows.length === 0)) return "unusable";
  const asked: unknown = reportAfterSeconds;
  const afterSeconds = typeof asked === "number" && asked > 0 ? Math.min(most, Math.max(least, asked)) : usual;
  return {
    hasWindow,
    openings: windows,
    afterSeconds,
    authVersion,
    proxies: proxies.slice(0, mostProxies).flatMap(readProxy),
    note: note === "" ? undefined : note,
  };
}

const mostProxies = 64;

function readProxy(text: string): readonly HostPort[] {
  const { host, port } = parseAddress(text) ?? {};
  return host === undefined || port === undefined ? [] : [{ host, port }];
}

/** Reads an opening in whole seconds, because a schedule has no finer times. */
function readOpening({ start, stop }: OpeningJson): Window | undefined {
  const [from, until] = [secondsIn(start), secondsIn(stop)];
  if (from === undefined || until === undefined || from < 0 || from >= until || until > lastSecond) return undefined;
  return { start: from, stop: until };
}

function secondsIn(found: unknown): number | undefined {
  return typeof found === "string" ? parseInstant(found.replace(/\.\d{1,9}(?=Z$)/, "")) : undefined;
}
