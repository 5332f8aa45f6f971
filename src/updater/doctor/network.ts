import { randomUUID } from "node:crypto";
import { faultData } from "../../rules/fault/explain.ts";
import { Fault } from "../../rules/fault/fault.ts";
import type { Log } from "../../machine/logging/log.ts";
import type { AgentPaths, Paths } from "../../machine/files/paths.ts";
import { runCommand } from "../../machine/processes/run-command.ts";
import { bringUp } from "../pass/ask.ts";
import { probeHere, probeThroughUnit, type ProbeQuestion } from "./probe.ts";
import { knownProxies, lastCount, layProxies, proxiesToSee, proxiesUnread } from "../sources/proxies.ts";
import type { ChannelAnswer } from "../../rules/decide/gate-facts.ts";
import { proxyVariablesIn, type ProxyVariables } from "../../rules/route/route.ts";
import { hopNames } from "../record/probe.ts";
import { unitControl } from "../unit/systemctl.ts";
import type { Check } from "./check.ts";
import { isBooted, isOwnRoot } from "../../machine/processes/booted.ts";

/** The process that walks the hops: the asking unit in its sandbox, or this one. */
export type ProbeMeans =
  | { readonly kind: "unit"; readonly bringUp: () => Promise<void> }
  | { readonly kind: "here"; readonly userId: number };

export type Network = {
  readonly paths: Paths;
  readonly agentPaths: AgentPaths;
  readonly question: ProbeQuestion;
  /** This process's environment. Only a walk "here" uses it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly stopping: AbortSignal;
};

/** `checks`: route, proxy, dns, tls, channel, answer, always all six. `answer`: the channel's, if it was asked. */
export type ProvedNetwork = { readonly checks: readonly Check[]; readonly answer: ChannelAnswer | undefined };

/** Twice the limit of the walk itself. */
const longestUnitMs = 60_000;

/** Root on a booted host uses the asking unit; everybody else this process. */
export function meansFor(paths: Paths, userId: number): ProbeMeans {
  return isOwnRoot(paths) && isBooted() && userId === 0
    ? { kind: "unit", bringUp: () => bringUp(unitControl(runCommand)) }
    : { kind: "here", userId };
}

export function proveNetwork(means: ProbeMeans, network: Network): Promise<ProvedNetwork> {
  return means.kind === "unit" ? proveByUnit(means, network) : proveHere(means.userId, network);
}

/** The six checks if nothing could be asked, for example without an endpoint. */
export function networkUnproved(why: string): readonly Check[] {
  return hopNames.map((name) => ({ name, verdict: "skipped", told: why }));
}

/** Asks through the unit, with the proxies of a pass. If a pass is running, waits for its question, and does not take its lock. */
async function proveByUnit(
  means: Extract<ProbeMeans, { kind: "unit" }>,
  { paths, agentPaths, question }: Network,
): Promise<ProvedNetwork> {
  try {
    const known = knownProxies({ paths, agentPaths }, paths.passProxies);
    if (known.kind === "unknown") throw proxiesUnread(agentPaths, known.why);
    const unit = { path: paths.asking, proxies: known.proxies, patienceMs: longestUnitMs, bringUp: means.bringUp };
    const proved = await probeThroughUnit({ ...question, pass: randomUUID() }, unit);
    const unread = known.kind === "last" ? [`${lastCount}: ${agentPaths.environment}, ${known.why}`] : [];
    return remarked(proved, unread, { paths, agentPaths, userId: 0 });
  } catch (thrown) {
    if (thrown instanceof Fault) return unanswered(thrown);
    throw thrown;
  }
}

/** The result if the asking unit does not work. The first check reports that. */
function unanswered(fault: Fault): ProvedNetwork {
  const route: Check = { name: "route", verdict: "failed", told: fault.message, fix: fault.hint };
  const others = networkUnproved("not tried: svc-upgrade-ask.service gave no answer").slice(1);
  return { checks: [route, ...others], answer: { kind: "fault", fault: faultData(fault) } };
}

async function proveHere(
  userId: number,
  { paths, agentPaths, question, environment, log, stopping }: Network,
): Promise<ProvedNetwork> {
  const { inFile, unread } = proxiesOf({ paths, agentPaths });
  const proxies = layProxies(inFile, proxyVariablesIn(environment));
  const proved = await probeHere(question, { proxies, log, stopping, root: paths.root });
  const asRoot = userId === 0 ? ["asked by this process, as root: svc-upgrade-ask.service may see less"] : [];
  return remarked(proved, unread, { paths, agentPaths, userId, besides: asRoot });
}

type InFile = { readonly inFile: ProxyVariables; readonly unread: readonly string[] };

/** The proxies from the agent's environment, or why they cannot be read. */
function proxiesOf(places: Pick<Network, "paths" | "agentPaths">): InFile {
  const unread: string[] = [];
  const inFile = proxiesToSee(places, (_level, sentence, fields) => {
    unread.push(`${sentence}: ${[fields?.["path"], fields?.["why"]].filter((word) => word !== undefined).join(", ")}`);
  });
  return { inFile, unread };
}

type Looking = Pick<Network, "paths" | "agentPaths"> & { readonly userId: number; readonly besides?: readonly string[] };

function remarked({ checks, answer }: ProvedNetwork, unread: readonly string[], looking: Looking): ProvedNetwork {
  const { agentPaths, userId, besides = [] } = looking;
  const fix = userId === 0 ? `see what it is: \`ls -l ${agentPaths.environment}\`` : "run it as root: `sudo svc-upgrade doctor`";
  const remarks = [...unread, ...besides];
  if (remarks.length === 0) return { checks, answer };
  return {
    checks: checks.map((check) =>
      check.name === "route" ? withRemarks(check, remarks, unread.length === 0 ? undefined : fix) : check,
    ),
    answer,
  };
}

/** Adds remarks to the route. An unknown proxy may change everything behind it. */
function withRemarks(route: Check, remarks: readonly string[], fix: string | undefined): Check {
  const told = [route.told, ...remarks].join("; ");
  return fix === undefined || route.verdict !== "ok" ? { ...route, told } : { ...route, verdict: "warning", told, fix };
}
