import { dirname } from "node:path";
import { makeDirectory } from "../host/directory.ts";
import { proveHops, type ProvedHops } from "../network/hops.ts";
import type { Request } from "../record/hand-over.ts";
import { unusableNoProxyEntries } from "../route/route.ts";
import { readProbe } from "../store/probe-file.ts";
import { askTwice, isDynamicUser, putTo, type AskingUnit } from "./ask.ts";
import { networkPorts, type NetworkScope } from "./network-ports.ts";

export type ProbeQuestion = Omit<Request, "pass" | "purpose" | "form" | "installed">;

/** Walks the hops in this process: with its rights, its sandbox and the proxies that are given. */
export function probeHere(question: ProbeQuestion, scope: NetworkScope): Promise<ProvedHops> {
  return proveHops({ ...question, passedOver: unusableNoProxyEntries(scope.proxies) }, networkPorts(scope));
}

/** Has the asking unit walk them. Nobody else may use it meanwhile: whoever calls this holds the lock of a pass. */
export async function probeThroughUnit(question: ProbeQuestion & Pick<Request, "pass">, unit: AskingUnit): Promise<ProvedHops> {
  const { paths, now } = unit;
  // Before the first pass of a boot it is not there.
  makeDirectory(dirname(paths.request), paths);
  return askTwice(async (form) => {
    await putTo(unit, { ...question, purpose: "probe", form, installed: undefined });
    const { checks, answer } = readProbe(paths.probe, { pass: question.pass, now: now(), isOwner: isDynamicUser });
    return { checks, answer };
  });
}
