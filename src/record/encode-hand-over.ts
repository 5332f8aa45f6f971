import { writtenDoubt } from "./encode-heard.ts";
import type { ChannelAnswer } from "../decide/facts.ts";
import { boundFault, faultBounds, type FaultBounds } from "./bounds.ts";
import { longestAnswerBytes, type Answer, type Request } from "./hand-over.ts";

export function encodeRequest(request: Request): string {
  const { pass, purpose, endpoint, channel, caFile, allowPlainHttp, installed, proxies } = request;
  return JSON.stringify({ pass, purpose, endpoint, channel, caFile, allowPlainHttp, installed, proxies });
}

/** Never longer than its cap: a fault's words are cut until it fits, its code never. */
export function encodeAnswer({ pass, answer }: Answer): string {
  let printed = "";
  for (const bounds of faultTiers) {
    printed = JSON.stringify({ pass, answer: writtenAnswer(answer, bounds) });
    if (new TextEncoder().encode(printed).length <= longestAnswerBytes) break;
  }
  return printed;
}

/** The last fits whatever it says: a character takes four bytes at most. */
const faultTiers: readonly FaultBounds[] = [
  faultBounds,
  { longestMessage: 600, longestHint: 300, longestCause: 300, mostCauses: 1 },
  { longestMessage: 600, longestHint: 300, longestCause: 0, mostCauses: 0 },
];

export function writtenAnswer(answer: ChannelAnswer, bounds: FaultBounds): object {
  if (answer.kind === "fault") {
    const { code, message, hint, causes } = boundFault(answer.fault, bounds);
    return { kind: answer.kind, fault: { code, message, hint, causes } };
  }
  const { kind, served, isCritical, doubt, decision, channels } = answer;
  const keys = served.kind === "none" ? { kind: served.kind } : { kind: served.kind, version: served.version };
  return { kind, served: keys, isCritical, doubt: doubt && writtenDoubt(doubt), decision, channels };
}
