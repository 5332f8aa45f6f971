import type { OpeningJson, ReportResponseJson } from "../api/generated/svc/v1/inventory_pb.ts";
import { parseAddress, type HostPort } from "../../rules/route/host-port.ts";
import { parseInstant } from "../../rules/window/instant.ts";
import type { Window } from "../../rules/window/window.ts";

/** Auth's answer to a report; nothing in it makes anything run. */
export type ReportAnswer = {
  readonly hasWindow: boolean;
  readonly openings: readonly Window[];
  /** When to report again. */
  readonly afterSeconds: number;
  /** Empty if auth is of a release that does not say. */
  readonly authVersion: string;
  /** Where the cluster's proxies are reached. */
  readonly proxies: readonly HostPort[];
};

const [least, usual, most] = [1, 600, 3600];
/** Enough for eight days of openings of one hour; the schedule's reader takes no larger file than these fill. */
const mostOpenings = 1000;
/** The last second that a schedule can name. */
const lastSecond = 9_999_999_999;

/** "unusable": some openings are invalid, and no schedule is made of the rest. */
export function readReportAnswer({
  hasWindow = false,
  openings = [],
  reportAfterSeconds,
  authVersion = "",
  proxies = [],
}: ReportResponseJson): ReportAnswer | "unusable" {
  if (!Array.isArray(openings) || openings.length > mostOpenings) return "unusable";
  const windows = openings.map(readOpening).filter((one) => one !== undefined);
  // A window that never opens again would look like a schedule that has run out.
  if (windows.length < openings.length || (hasWindow && windows.length === 0)) return "unusable";
  const asked: unknown = reportAfterSeconds;
  const afterSeconds = typeof asked === "number" && asked > 0 ? Math.min(most, Math.max(least, asked)) : usual;
  return { hasWindow, openings: windows, afterSeconds, authVersion, proxies: proxies.slice(0, mostProxies).flatMap(readProxy) };
}

const mostProxies = 64;

function readProxy(text: string): readonly HostPort[] {
  const { host, port } = parseAddress(text) ?? {};
  return host === undefined || port === undefined ? [] : [{ host, port }];
}

/** In whole seconds, as a schedule has no finer ones. */
function readOpening({ start, stop }: OpeningJson): Window | undefined {
  const [from, until] = [secondsIn(start), secondsIn(stop)];
  if (from === undefined || until === undefined || from < 0 || from >= until || until > lastSecond) return undefined;
  return { start: from, stop: until };
}

function secondsIn(found: unknown): number | undefined {
  return typeof found === "string" ? parseInstant(found.replace(/\.\d{1,9}(?=Z$)/, "")) : undefined;
}
