import { readClock } from "../host/clock.ts";
import { pathsBelow } from "../host/paths.ts";
import { probeHere } from "../pass/probe.ts";
import { pick } from "../pass/proxies.ts";
import type { Request } from "../record/hand-over.ts";
import { writeProbe } from "../store/probe-file.ts";
import type { CommandContext } from "./context.ts";

/** The asking unit on doctor's errand: it proves every hop to the answer, as it is and with what it may. */
export async function probe(request: Request, { surroundings, log }: CommandContext): Promise<number> {
  const { environment, stopping } = surroundings;
  const { checks, answer } = await probeHere(request, { proxies: pick(environment), log, stopping });
  writeProbe(pathsBelow("/").probe, { pass: request.pass, at: readClock().now, checks, answer }, request.form);
  return 0;
}
