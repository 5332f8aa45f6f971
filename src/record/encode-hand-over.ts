import { writtenDoubt } from "./encode-heard.ts";
import type { ChannelAnswer } from "../plan/facts.ts";
import { boundFault, faultBounds, faultNotOfTheFirst, type FaultBounds } from "./bounds.ts";
import { nearest } from "./first-words.ts";
import { longestHandOverBytes, type Answer, type HandOverForm, type Request } from "./hand-over.ts";
import { asTheFirst, writing, type NotOfTheFirst } from "./write.ts";

/** Keys that came after the first release stand in the open form alone. */
export function encodeRequest(request: Request): string {
  const { pass, purpose, form, endpoint, channel, caFile, allowPlainHttp, installed } = request;
  const first = { pass, purpose, endpoint, channel, caFile, allowPlainHttp, installed };
  return print(form === "first" ? first : { ...first, form });
}

/** Never longer than its cap: a fault's words are cut until it fits, its code never. */
export function encodeAnswer({ pass, at, answer }: Answer, form: HandOverForm = "open"): string {
  let printed = "";
  for (const bounds of faultTiers) {
    printed = print({ pass, at, answer: writtenAnswer(answer, bounds, form) });
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

/** Here too: keys that came after the first release stand in the open form alone. */
export function writtenAnswer(answer: ChannelAnswer, bounds: FaultBounds, form: HandOverForm): object {
  const write = form === "first" ? asTheFirst : openly;
  const words = { kind: nearest.answer };
  if (answer.kind === "fault") {
    const { code, message, hint, causes } = boundFault(answer.fault, bounds);
    return write({ kind: answer.kind, fault: write({ code, message, hint, causes }, faultNotOfTheFirst) }, { words });
  }
  const { served, isCritical, doubt, decision, channels } = answer;
  const keys = served.kind === "none" ? { kind: served.kind } : { kind: served.kind, version: served.version };
  const later = form === "first" ? {} : { doubt: doubt && writtenDoubt(doubt), decision };
  return write(
    { kind: answer.kind, served: write(keys, { words: { kind: nearest.served } }), isCritical, ...later, channels },
    { words },
  );
}

function openly(keys: Parameters<typeof asTheFirst>[0], notOfTheFirst: NotOfTheFirst): object {
  return writing({}, keys, notOfTheFirst);
}

export function print(written: object): string {
  return `${JSON.stringify(written, undefined, 2)}\n`;
}
