import { asFault, faultData } from "../fault/explain.ts";
import { readClock } from "../host/clock.ts";
import { pathsBelow } from "../host/paths.ts";
import { pick } from "../pass/proxies.ts";
import type { ChannelAnswer } from "../plan/facts.ts";
import { readRequest, writeAnswer } from "../store/hand-over.ts";
import { askNetwork } from "./ask-network.ts";
import type { CommandContext } from "./context.ts";

/** The asking unit: one request in, one answer out. A fault is an answer too, and its end is a good one. */
export async function ask(context: CommandContext): Promise<number> {
  const { surroundings, log } = context;
  const { environment, stopping } = surroundings;
  const paths = pathsBelow("/");
  const request = readRequest(paths.request, (uid) => uid === 0);
  if (request.purpose === "probe") {
    const { probe } = await import("./probe.ts");
    return probe(request, context);
  }
  let answer: ChannelAnswer;
  try {
    const installed = Promise.resolve(request.installed);
    answer = await askNetwork({ ...request, installed }, { proxies: pick(environment), log, stopping });
  } catch (thrown) {
    answer = { kind: "fault", fault: faultData(asFault(thrown)) };
  }
  writeAnswer(paths.answer, { pass: request.pass, at: readClock().now, answer }, request.form);
  return 0;
}
