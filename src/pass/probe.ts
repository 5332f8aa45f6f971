import { chmodSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
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
  const directory = dirname(paths.request);
  // Before the first pass of a boot it is not there; and everyone must be able to enter it, whatever the umask of a shell.
  if (mkdirSync(directory, { recursive: true }) !== undefined) chmodSync(directory, 0o755);
  return askTwice(async (form) => {
    await putTo(unit, { ...question, purpose: "probe", form, installed: undefined });
    const { checks, answer } = readProbe(paths.probe, { pass: question.pass, now: now(), isOwner: isDynamicUser });
    return { checks, answer };
  });
}
