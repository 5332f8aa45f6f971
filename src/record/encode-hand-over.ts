import { writtenDoubt, writtenServed } from "./encode-heard.ts";
import type { ChannelAnswer } from "../plan/facts.ts";
import { boundFault, faultBounds, type FaultBounds } from "./bounds.ts";
import { longestHandOverBytes, type Answer, type Request } from "./hand-over.ts";

export function encodeRequest({ pass, purpose, endpoint, channel, caFile, allowPlainHttp, installed }: Request): string {
  return print({ pass, purpose, endpoint, channel, caFile, allowPlainHttp, installed });
}

/** Never longer than its cap: a fault's words are cut until it fits, its code never. */
export function encodeAnswer({ pass, at, answer }: Answer): string {
  let printed = "";
  for (const bounds of faultTiers) {
    printed = print({ pass, at, answer: writtenAnswer(answer, bounds) });
    if (new TextEncoder().encode(printed).length <= longestHandOverBytes) break;
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
  if (answer.kind === "fault") return { kind: answer.kind, fault: boundFault(answer.fault, bounds) };
  const { served, isCritical, doubt, decision, channels } = answer;
  return {
    kind: answer.kind,
    served: writtenServed(served),
    isCritical,
    doubt: doubt && writtenDoubt(doubt),
    decision,
    channels,
  };
}

export function print(written: object): string {
  return `${JSON.stringify(written, undefined, 2)}\n`;
}
