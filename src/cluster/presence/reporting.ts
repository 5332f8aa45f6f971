import { call } from "../api/call.ts";
import type { ReportRequestJson } from "../api/generated/svc/v1/inventory_pb.ts";
import { report, toMessage, type Report } from "../api/report.ts";
import type { Transport } from "../api/transport.ts";
import type { ClockReading } from "../../rules/decide/clock-verdict.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { clusterFaultTable } from "../../rules/fault/cluster-table.ts";
import { tellFault } from "../../rules/fault/tell-fault.ts";
import { freshId } from "../../machine/program/fresh-id.ts";
import type { Log } from "../../machine/logging/log.ts";
import type { HostPort } from "../../rules/route/host-port.ts";
import { printInstant } from "../../rules/window/instant.ts";
import { tellMisfit } from "../../rules/version/misfit.ts";
import type { ClusterSchedule } from "../../rules/window/print-schedule.ts";
import type { AboutItself } from "./identity.ts";
import { noteRetryAfter } from "./note-retry-after.ts";
import { readOperatingSystem } from "./os-release.ts";
import { readReportAnswer } from "./report-answer.ts";

/** The connection to auth, and the cluster's name. */
export type Joined = { readonly transport: Transport; readonly cluster: string };

export type ReportingPorts = {
  /** Undefined if this host has not joined. */
  readonly joined: () => Joined | undefined;
  readonly about: AboutItself;
  /** HOST:PORT where clients reach this proxy; undefined for other hosts. */
  readonly publicAddress?: string | undefined;
  /** The host's own labels. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Tells the addresses of the cluster's proxies to this host's tunnels. */
  readonly proxies?: (addresses: readonly HostPort[]) => void;
  /** Describes the public state of this host's updater; undefined without one. */
  readonly updater: () => Promise<Report["updater"]>;
  /** Writes when the updater may work. */
  readonly schedule: (schedule: ClusterSchedule) => Promise<"written" | "same" | "none">;
  readonly log: Log;
  readonly clock: () => ClockReading;
  /** A random number from 0 to below 1. */
  readonly random: () => number;
  /** Ends early, without a fault, if the signal is raised. */
  readonly wait: (seconds: number, signal: AbortSignal) => Promise<void>;
  readonly stopping: AbortSignal;
};

export type Reporting = {
  /** Reports at once, because somebody asked for it or has joined. */
  readonly report: () => void;
  /** Reports soon, because something here has changed. Does nothing while auth cannot be reached. */
  readonly changed: () => void;
  /** Tells auth that the host is shutting down. Call it after `ended`. Never rejects. */
  readonly goodbye: () => Promise<void>;
  /** Resolves when `stopping` was raised and running work has ended. Never rejects. */
  readonly ended: Promise<void>;
};

/** The wait while there is nothing to report. `report` ends it. */
const idleSeconds = 3600;
/** The shortest time between two reports, however often something changes. */
const betweenSeconds = 1;
const firstWaitSeconds = 5;
const longestWaitSeconds = 600;
/** How often a lasting failure is logged again. */
const sayAgainSeconds = 86_400;
/** Short, because the host's shutdown waits for it. */
const goodbyeMs = 3000;

type Kept = {
  awaited: AbortController;
  readonly boot: { readonly id: string; readonly counter: () => number };
  failures: number;
  /** What the log last said about a mismatch between the versions of this host and of auth. */
  misfit: string | undefined;
  readonly say: Record<"report" | "schedule", Said | undefined>;
};
type Said = { readonly code: string; readonly at: number };

/** Reports this host to auth, and passes auth's answer to the updater. Logs every failure and tries again; no failure ends this. */
export function startReporting(ports: ReportingPorts): Reporting {
  const kept: Kept = {
    awaited: new AbortController(),
    boot: bootOf(ports.clock),
    failures: 0,
    misfit: undefined,
    say: { report: undefined, schedule: undefined },
  };
  return {
    report: () => kept.awaited.abort(),
    changed: () => {
      if (kept.failures === 0) kept.awaited.abort();
    },
    goodbye: () => sayGoodbye(ports, kept),
    ended: keepReporting(ports, kept),
  };
}

/** The counter is at least the milliseconds since the boot. These pass faster than reports come, so the counter rises over restarts too. */
function bootOf(clock: ReportingPorts["clock"]): Kept["boot"] {
  const { bootId } = clock();
  let last = 0;
  return {
    // If the kernel does not tell the boot's id, each start counts as a boot.
    id: bootId === "unknown" ? freshId() : bootId,
    counter: () => {
      last = Math.max(last + 1, Math.floor(clock().sinceBootSeconds * 1000));
      return last;
    },
  };
}

async function keepReporting(ports: ReportingPorts, kept: Kept): Promise<void> {
  const { stopping, wait } = ports;
  while (!stopping.aborted) {
    kept.awaited = new AbortController();
    const seconds = await reportOnce(ports, kept);
    if (stopping.aborted) return;
    await wait(betweenSeconds, stopping);
    await wait(Math.max(0, seconds - betweenSeconds), AbortSignal.any([stopping, kept.awaited.signal]));
  }
}

/** Returns how many seconds to wait before the next report. */
async function reportOnce(ports: ReportingPorts, kept: Kept): Promise<number> {
  const joined = ports.joined();
  if (joined === undefined) return idleSeconds;
  const { transport, askedSeconds } = noteRetryAfter(joined.transport);
  try {
    const request = requestOf(ports, kept, { updater: await ports.updater(), goodbye: false });
    const response = await call(transport, { method: "InventoryService/Report", request }, { stopping: ports.stopping });
    const answer = readReportAnswer(response);
    if (answer === "unusable") throw unusable(transport);
    if (kept.say.report !== undefined) ports.log("notice", "auth takes this host's reports again", {});
    kept.say.report = undefined;
    kept.failures = 0;
    ports.proxies?.(answer.proxies);
    const misfit = tellMisfit(ports.about.version, answer.authVersion);
    if (misfit !== undefined && kept.misfit !== misfit) ports.log("warning", misfit, {});
    kept.misfit = misfit;
    await takeSchedule({ ...answer, cluster: joined.cluster, note: misfit ?? answer.note }, ports, kept);
    return answer.afterSeconds;
  } catch (thrown) {
    if (ports.stopping.aborted) return 0;
    kept.failures += 1;
    const seconds = waitAfter(kept.failures, askedSeconds(), ports.random());
    say("report", thrown, { ports, kept });
    return seconds;
  }
}

function requestOf(
  { about, publicAddress = "", labels = {} }: ReportingPorts,
  { boot }: Kept,
  said: Pick<Report, "updater" | "goodbye">,
): ReportRequestJson {
  const own = { ...about, public_addr: publicAddress, labels, os: readOperatingSystem() };
  const values: Report = { boot_id: boot.id, counter: boot.counter(), ...own, ...said };
  return toMessage(values, report, printInstant);
}

async function takeSchedule(schedule: ClusterSchedule, ports: ReportingPorts, kept: Kept): Promise<void> {
  try {
    const done = await ports.schedule({
      cluster: schedule.cluster,
      hasWindow: schedule.hasWindow,
      openings: schedule.openings,
      note: schedule.note,
    });
    if (done === "written") ports.log("info", "the schedule of the updater was written", { openings: schedule.openings.length });
    kept.say.schedule = undefined;
  } catch (thrown) {
    if (ports.stopping.aborted) return;
    say("schedule", thrown, { ports, kept });
  }
}

/** How long to wait after failures: longer each time, with a random part. Never less than auth asked, up to the longest wait. */
function waitAfter(failures: number, askedSeconds: number | undefined, drawn: number): number {
  const own = Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** Math.min(failures - 1, 10)) * (1 - drawn / 2);
  return Math.max(betweenSeconds, Math.min(longestWaitSeconds, (askedSeconds ?? 0) + own));
}

const whats = { report: "this host could not report to auth", schedule: "the cluster's windows did not reach the updater" };

/** Logs a new failure as a warning, and the same one once a day. */
function say(
  what: keyof Kept["say"],
  thrown: unknown,
  { ports, kept }: { readonly ports: ReportingPorts; readonly kept: Kept },
): void {
  const { code, message, hint, wrong } = tellFault(thrown, "svc");
  const [named] = wrong;
  const { sinceBootSeconds } = ports.clock();
  const said = kept.say[what];
  const isNews = said === undefined || said.code !== code || sinceBootSeconds - said.at >= sayAgainSeconds;
  if (isNews) kept.say[what] = { code, at: sinceBootSeconds };
  ports.log(isNews ? "warning" : "debug", `${whats[what]}: ${message}; ${hint}`, {
    fault: code,
    wrong: named === undefined ? undefined : `${named.at}: ${named.found} (allowed: ${named.allowed})`,
  });
}

function unusable({ whom }: Transport): Fault {
  return new Fault("auth-mismatch", {
    message: `${whom} answered a report with windows that cannot be read`,
    hint: clusterFaultTable["auth-mismatch"].remedy,
  });
}

async function sayGoodbye(ports: ReportingPorts, kept: Kept): Promise<void> {
  const joined = ports.joined();
  if (joined === undefined) return;
  const request = requestOf(ports, kept, { updater: undefined, goodbye: true });
  try {
    await call(joined.transport, { method: "InventoryService/Report", request }, { timeoutMs: goodbyeMs });
  } catch (thrown) {
    ports.log("debug", `auth was not told that this host goes down: ${tellFault(thrown, "svc").message}`, {});
  }
}
