import type { AskRequest } from "../record/hand-over.ts";
import { decodeProbe, longestProbeBytes, hopNames, type HopCheck, type HopName } from "../record/probe.ts";
import { unusableNoProxyEntries } from "../../rules/route/route.ts";
import { put, type AskingUnit } from "../pass/ask.ts";
import { networkPorts, type NetworkScope } from "../../machine/network/network-ports.ts";
import { channelUrl } from "../../rules/channel/path.ts";
import { faultData } from "../../rules/fault/explain.ts";
import { Fault, type FaultData } from "../../rules/fault/fault.ts";
import type { ChannelAnswer } from "../../rules/decide/gate-facts.ts";
import type { AskPorts } from "../../machine/network/ask-channel.ts";
import type { Finding } from "./check.ts";
import { findingOf } from "./hop-finding.ts";
import { walk, type HopsQuestion } from "./walk-hops.ts";

export type ProbeQuestion = Omit<AskRequest, "pass" | "purpose" | "proxies">;

/** Walks the hops in this process: with its rights, its sandbox and the given proxies. */
export function probeHere(question: ProbeQuestion, scope: NetworkScope): Promise<ProvedHops> {
  const installed = Promise.resolve(question.installed);
  return proveHops({ ...question, installed, passedOver: unusableNoProxyEntries(scope.proxies) }, networkPorts(scope));
}

/** Has the asking unit walk the hops. */
export async function probeThroughUnit(
  question: ProbeQuestion & Pick<AskRequest, "pass">,
  unit: AskingUnit,
): Promise<ProvedHops> {
  const request = { ...question, purpose: "probe", proxies: unit.proxies } as const;
  const { checks, answer } = await put(request, unit, { decode: decodeProbe, longestBytes: longestProbeBytes });
  return { checks, answer };
}

type ProvedHops = { readonly checks: readonly HopCheck[]; readonly answer: ChannelAnswer };

/** Walks every hop to the channel's answer, as a pass does. */
export async function proveHops(question: HopsQuestion, ports: AskPorts): Promise<ProvedHops> {
  const url = new URL(channelUrl(question.endpoint, question.channel, "version"));
  let route;
  try {
    route = ports.routeOf(url.href);
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    const fault = faultData(thrown);
    return { checks: judgeAll(new Map([["route", fault]]), () => undefined), answer: { kind: "fault", fault } };
  }
  const walked = await walk(url, { question, route, ports });
  return { checks: judgeAll(walked.broken, (name) => findingOf(name, walked, question)), answer: walked.answer };
}

type Broken = ReadonlyMap<HopName, FaultData>;

function judgeAll(broken: Broken, find: (name: HopName) => Finding | undefined): readonly HopCheck[] {
  const first = hopNames.findIndex((name) => broken.has(name));
  return hopNames.map((name, index) => {
    const fault = broken.get(name);
    if (fault !== undefined) return { name, verdict: "failed", told: fault.message, fix: fault.hint };
    const found = find(name);
    const isReached = found !== undefined && (first < 0 || index < first || found.verdict === "skipped");
    // Also lists a hop that was not tried, with the hop that blocks it.
    return isReached ? { name, ...found } : { name, verdict: "skipped", told: `not tried because ${hopNames[first]} failed` };
  });
}
