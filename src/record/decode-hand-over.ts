import { channelNameRule, parseChannelName } from "../channel/path.ts";
import type { ChannelAnswer } from "../plan/facts.ts";
import { readEndpoint } from "../settings/endpoint.ts";
import type { Endpoint } from "../settings/settings.ts";
import { readFault } from "./bounds.ts";
import { doubtReader, servedReader } from "./decode-heard.ts";
import type { Answer, Purpose, Request } from "./hand-over.ts";
import {
  finite,
  literal,
  object,
  channelsDigest,
  decisionNumber,
  oneOf,
  oneOfKind,
  orElse,
  orUndefined,
  parsed,
  readJson,
  truth,
  version,
  type Reader,
  type Reading,
} from "./read.ts";

/** Each half reads what the other wrote as if a stranger had: both files change hands between users. */
export function decodeRequest(found: string): Reading<Request> {
  return readJson(found, request);
}

export function decodeAnswer(found: string): Reading<Answer> {
  return readJson(found, answer);
}

/** A later release may say more, and what it says beside the rest counts for nothing here. */
export const others = { unknown: "ignored" } as const;

/** As long as the kernel lets a path be would not fit the file; no bundle lies that deep. */
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
    purpose: orElse(oneOf<Purpose>({ answer: 0, probe: 0 }), "answer"),
    // The first release says nothing of it; and whatever form comes after the open one, its writer understands that one too.
    form: (value) => (value === undefined ? "first" : "open"),
    endpoint,
    channel: parsed(parseChannelName, channelNameRule),
    caFile: orUndefined(absolutePath),
    allowPlainHttp: truth,
    installed: orUndefined(version),
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

const answer = object<Answer>({ pass: passId, at: finite, answer: channelAnswer }, others);

/** The other half wrote down what it had read from the settings, so there is one spelling of it. */
function parseEndpoint(found: string): Endpoint | undefined {
  const reading = readEndpoint(found);
  return reading.kind === "value" && reading.value === found ? reading.value : undefined;
}
