import { proveHops, type ProvedHops } from "./hops.ts";
import type { AskRequest } from "../record/hand-over.ts";
import { decodeProbe, longestProbeBytes } from "../record/probe.ts";
import { unusableNoProxyEntries } from "../../rules/route/route.ts";
import { put, type AskingUnit } from "../pass/ask.ts";
import { networkPorts, type NetworkScope } from "../../machine/network/network-ports.ts";

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
