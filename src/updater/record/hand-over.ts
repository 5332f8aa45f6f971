import { channelName } from "../../rules/channel/path.ts";
import { boundFault, faultBounds, type FaultBounds } from "../../rules/fault/data.ts";
import { channelAnswer, type ChannelAnswer } from "../../rules/decide/gate-facts.ts";
import { readEndpoint } from "../../rules/settings/endpoint.ts";
import type { Endpoint } from "../../rules/settings/settings.ts";
import { decode, type Reading } from "../../rules/shape/read.ts";
import { maybe, parsed, record, truth, words, type Of, type Shape } from "../../rules/shape/shape.ts";
import { encode } from "../../rules/shape/write.ts";
import { version } from "../../rules/version/version.ts";
import { proxyVariables } from "./proxies.ts";

const passPattern = /^[A-Za-z0-9-]{1,64}$/;
export const passId: Shape<string> = parsed((found) => (passPattern.test(found) ? found : undefined), "a pass id");

export const endpoint: Shape<Endpoint> = parsed(parseEndpoint, "an http or https base URL");

/** Longer than the path of any CA bundle. */
const longestPath = 1024;
export const absolutePath: Shape<string> = parsed(
  (found) => (found.startsWith("/") && found.length <= longestPath && !found.includes("\0") ? found : undefined),
  "an absolute path",
);

/** What the deciding unit asks, as a line of JSON. */
export const request = record({
  pass: passId,
  purpose: words({
    answer: "what the channel serves",
    probe: "that, and how far each hop of the way to it goes, for doctor",
  }),
  endpoint,
  channel: channelName,
  caFile: maybe(absolutePath),
  allowPlainHttp: truth,
  /** The asking unit asks whether the update is critical only if the served version differs from this one. */
  installed: maybe(version),
  /** Proxies may contain passwords, so only this connection carries them. */
  proxies: proxyVariables,
});
export type AskRequest = Of<typeof request>;

/** What the asking unit found out, as a line of JSON. If the network is down, the answer holds a fault. */
export const answer = record({ pass: passId, answer: channelAnswer });
export type HandedAnswer = Of<typeof answer>;

/** The variables come from a file of at most 64 KiB, and a character takes at most six bytes. A longer line is not a request. */
export const longestRequestBytes: number = 512 * 1024;
/** Enough for an answer with its longest fault. A longer line is not an answer. */
export const longestAnswerBytes = 4096;

/** The last tier always fits: a character takes at most four bytes. */
const faultTiers: readonly FaultBounds[] = [
  faultBounds,
  { longestMessage: 600, longestHint: 300, longestCause: 300, mostCauses: 1 },
  { longestMessage: 600, longestHint: 300, longestCause: 0, mostCauses: 0 },
];

export function encodeRequest(asked: AskRequest): string {
  return JSON.stringify(encode(request, asked));
}

/** Keeps the answer below its limit by shortening a fault's texts, but never its code. */
export function encodeAnswer({ pass, answer: given }: HandedAnswer): string {
  let printed = "";
  for (const bounds of faultTiers) {
    printed = JSON.stringify(encode(answer, { pass, answer: boundAnswer(given, bounds) }));
    if (new TextEncoder().encode(printed).length <= longestAnswerBytes) break;
  }
  return printed;
}

export function boundAnswer(given: ChannelAnswer, bounds: FaultBounds): ChannelAnswer {
  return given.kind === "fault" ? { ...given, fault: boundFault(given.fault, bounds) } : given;
}

/** Reads what the other unit sent, with distrust. Ignores unknown keys, because the releases may differ during an upgrade. */
export function decodeRequest(found: string): Reading<AskRequest> {
  return decode(found, request, "ignored");
}

export function decodeAnswer(found: string): Reading<HandedAnswer> {
  return decode(found, answer, "ignored");
}

/** The other unit wrote it from its settings, so only one spelling is valid. */
function parseEndpoint(found: string): Endpoint | undefined {
  const reading = readEndpoint(found);
  return reading.kind === "value" && reading.value === found ? reading.value : undefined;
}
