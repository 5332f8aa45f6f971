import { channelNameRule, parseChannelName } from "../channel/path.ts";
import type { ChannelAnswer } from "../decide/facts.ts";
import { readEndpoint } from "../settings/endpoint.ts";
import type { Endpoint } from "../settings/settings.ts";
import { readFault } from "./bounds.ts";
import { doubtReader, servedReader } from "./decode-heard.ts";
import type { Answer, Purpose, Request } from "./hand-over.ts";
import {
  literal,
  object,
  channelsDigest,
  decisionNumber,
  oneOf,
  oneOfKind,
  orUndefined,
  parsed,
  readJson,
  truth,
  version,
  type Reader,
  type Reading,
} from "./read.ts";
import { proxyVariables } from "./proxies.ts";

/** Each half reads what the other said as if a stranger had. */
export function decodeRequest(found: string): Reading<Request> {
  return readJson(found, request);
}

export function decodeAnswer(found: string): Reading<Answer> {
  return readJson(found, answer);
}

/** For the length of an upgrade the two halves may be of two releases; what the other says beside the rest counts for nothing here. */
export const others = { unknown: "ignored" } as const;

/** No bundle lies deeper. */
const longestPath = 1024;
const passPattern = /^[A-Za-z0-9-]{1,64}$/;

export const passId: Reader<string> = parsed((found) => (passPattern.test(found) ? found : undefined), "a pass id");

const endpoint: Reader<Endpoint> = parsed(parseEndpoint, "an http or https base URL");

const absolutePath: Reader<string> = parsed(
  (found) => (found.startsWith("/") && found.length <= longestPath && !found.includes("\0") ? found : undefined),
  "an absolute path",
);

const request = object<Request>(
  {
    pass: passId,
    purpose: oneOf<Purpose>({ answer: 0, probe: 0 }),
    endpoint,
    channel: parsed(parseChannelName, channelNameRule),
    caFile: orUndefined(absolutePath),
    allowPlainHttp: truth,
    installed: orUndefined(version),
    proxies: proxyVariables,
  },
  others,
);

export const channelAnswer: Reader<ChannelAnswer> = oneOfKind<ChannelAnswer>({
  served: object<Extract<ChannelAnswer, { kind: "served" }>>(
    // An earlier release did not ask for all of it, and many servers do not say.
    {
      kind: literal("served"),
      served: servedReader(others),
      isCritical: truth,
      doubt: orUndefined(doubtReader(others)),
      decision: orUndefined(decisionNumber),
      channels: orUndefined(channelsDigest),
    },
    others,
  ),
  fault: object<Extract<ChannelAnswer, { kind: "fault" }>>({ kind: literal("fault"), fault: readFault(others) }, others),
});

const answer = object<Answer>({ pass: passId, answer: channelAnswer }, others);

/** The other half wrote down what it had read from the settings, so there is one spelling of it. */
function parseEndpoint(found: string): Endpoint | undefined {
  const reading = readEndpoint(found);
  return reading.kind === "value" && reading.value === found ? reading.value : undefined;
}
