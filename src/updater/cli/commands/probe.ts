import type { NetworkScope } from "../../../machine/network/network-ports.ts";
import { probeHere } from "../../doctor/probe.ts";
import type { AskRequest } from "../../record/hand-over.ts";
import { encodeProbe } from "../../record/probe.ts";

/** Runs the asking unit for doctor: checks every hop up to the answer, with this unit's rights. */
export async function probe(request: AskRequest, scope: NetworkScope): Promise<string> {
  return encodeProbe({ pass: request.pass, ...(await probeHere(request, scope)) });
}
