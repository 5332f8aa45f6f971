import type { NetworkScope } from "../../../machine/network/network-ports.ts";
import { probeHere } from "../../doctor/probe.ts";
import type { AskRequest } from "../../record/hand-over.ts";
import { encodeProbe } from "../../record/probe.ts";

/** The asking unit on doctor's errand: it proves every hop to the answer, as it is and with what it may. */
export async function probe(request: AskRequest, scope: NetworkScope): Promise<string> {
  return encodeProbe({ pass: request.pass, ...(await probeHere(request, scope)) });
}
