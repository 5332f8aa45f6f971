import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { faultData } from "../fault/explain.ts";
import { Fault } from "../fault/fault.ts";
import { readClock } from "../host/clock.ts";
import type { Log } from "../host/log.ts";
import { monotonicMs } from "../host/monotonic.ts";
import type { Paths } from "../host/paths.ts";
import { runCommand } from "../host/run-command.ts";
import { withLock } from "../pass/conduct.ts";
import { probeHere, probeThroughUnit, type ProbeQuestion } from "../pass/probe.ts";
import { layProxies, pick, proxiesInFile } from "../pass/proxies.ts";
import { startAsking, type StartAsking } from "../pass/start-asking.ts";
import type { ChannelAnswer } from "../plan/facts.ts";
import type { ProxyVariables } from "../route/route.ts";
import { hopNames } from "../record/probe.ts";
import { unitControl } from "../unit/systemctl.ts";
import type { Check } from "./check.ts";

/** Who walks the hops: the asking unit, in its sandbox and with its environment, or this process. */
export type Means =
  | { readonly kind: "unit"; readonly start: StartAsking; readonly lockWaitMs: number }
  | { readonly kind: "here"; readonly userId: number };

export type Network = {
  readonly paths: Paths;
  readonly question: ProbeQuestion;
  /** This process's own; only the walk "here" looks at it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly stopping: AbortSignal;
};

/** `checks`: route, proxy, dns, tls, channel, answer, always all six. `answer`: what the channel says, where it came to be asked. */
export type ProvedNetwork = { readonly checks: readonly Check[]; readonly answer: ChannelAnswer | undefined };

/** Twice what the walk itself may take. */
const longestUnitMs = 60_000;
/** A quiet pass is through within a second; one that moves is not waited for. */
const lockWaitMs = 5_000;
const lockPollMs = 500;

/** The asking unit on a booted host for root; this process for everybody else, below another root and without systemd. */
export function meansFor(paths: Paths, userId: number, log: Log): Means {
  const isBooted = paths.root === "/" && existsSync("/run/systemd/system");
  if (!isBooted || userId !== 0) return { kind: "here", userId };
  return {
    kind: "unit",
    start: startAsking({ paths, control: unitControl(runCommand), log, limits: { timeoutMs: longestUnitMs } }),
    lockWaitMs,
  };
}

export function proveNetwork(means: Means, network: Network): Promise<ProvedNetwork> {
  return means.kind === "unit" ? proveByUnit(means, network) : proveHere(means.userId, network);
}

/** The six checks where nothing could be asked at all, for example without an endpoint. */
export function networkUnproved(why: string): readonly Check[] {
  return hopNames.map((name) => ({ name, verdict: "skipped", told: why }));
}

async function proveByUnit(means: Extract<Means, { kind: "unit" }>, { paths, question }: Network): Promise<ProvedNetwork> {
  const pass = randomUUID();
  const { inFile, unread } = proxiesOf(paths);
  const unit = { paths, proxies: inFile, start: means.start, now: () => readClock().now };
  const untilMs = monotonicMs() + means.lockWaitMs;
  for (;;) {
    try {
      const proved = await withLock(paths, "doctor", () => probeThroughUnit({ ...question, pass }, unit));
      return remarked(proved, unread, { paths, userId: 0 });
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      if (thrown.code !== "busy") return unanswered(thrown);
      if (monotonicMs() >= untilMs) {
        return { checks: networkUnproved(`not tried: ${thrown.message}, and the asking unit is its own`), answer: undefined };
      }
      await sleep(lockPollMs);
    }
  }
}

/** The asking unit itself is what does not work: that is told where its first line would stand. */
function unanswered(fault: Fault): ProvedNetwork {
  const route: Check = { name: "route", verdict: "failed", told: fault.message, fix: fault.hint };
  const others = networkUnproved("not tried: svc-upgrade-ask.service gave no answer").slice(1);
  return { checks: [route, ...others], answer: { kind: "fault", fault: faultData(fault) } };
}

async function proveHere(userId: number, { paths, question, environment, log, stopping }: Network): Promise<ProvedNetwork> {
  const { inFile, unread } = proxiesOf(paths);
  const proxies = layProxies(inFile, pick(environment));
  const proved = await probeHere(question, { proxies, log, stopping });
  const asRoot = userId === 0 ? ["asked by this process, as root: svc-upgrade-ask.service may see less"] : [];
  return remarked(proved, unread, { paths, userId, besides: asRoot });
}

type InFile = { readonly inFile: ProxyVariables; readonly unread: readonly string[] };

/** The proxies of the agent's environment, and why it is not read where it is not. */
function proxiesOf({ agentEnvironment }: Paths): InFile {
  const unread: string[] = [];
  const inFile = proxiesInFile(agentEnvironment, (_level, sentence, fields) => {
    unread.push(`${sentence}: ${[fields?.["path"], fields?.["why"]].filter((word) => word !== undefined).join(", ")}`);
  });
  return { inFile, unread };
}

type Looking = { readonly paths: Paths; readonly userId: number; readonly besides?: readonly string[] };

function remarked({ checks, answer }: ProvedNetwork, unread: readonly string[], looking: Looking): ProvedNetwork {
  const { paths, userId, besides = [] } = looking;
  const fix = userId === 0 ? `ls -l ${paths.agentEnvironment}` : `sudo svc-upgrade doctor${rootFlag(paths)}`;
  const remarks = [...unread, ...besides];
  if (remarks.length === 0) return { checks, answer };
  return {
    checks: checks.map((check) =>
      check.name === "route" ? withRemarks(check, remarks, unread.length === 0 ? undefined : fix) : check,
    ),
    answer,
  };
}

/** A proxy that is not known of may change everything behind it. */
function withRemarks(route: Check, remarks: readonly string[], fix: string | undefined): Check {
  const told = [route.told, ...remarks].join("; ");
  return fix === undefined || route.verdict !== "ok" ? { ...route, told } : { ...route, verdict: "warning", told, fix };
}

function rootFlag({ root }: Paths): string {
  return root === "/" ? "" : ` --root ${root}`;
}
