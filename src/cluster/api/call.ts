import { isClusterFault } from "../../rules/fault/tell-fault.ts";
import type { Methods, Streams } from "./methods.ts";
import { answerUnreadable, refusalIn } from "./refusal.ts";
import type { PostAnswer, Transport } from "./transport.ts";

export type Patience = { readonly timeoutMs?: number; readonly stopping?: AbortSignal };

/** Enough for auth's longest single answer, a full page of a large list. */
const defaultTimeoutMs = 30_000;
/** Enough for 1,000 resources of some kilobytes. Auth sends nothing larger. */
const mostAnswerBytes = 32 * 1024 * 1024;
const mostRefusalBytes = 1024 * 1024;
/** A whole store may be sent. Each piece has its own deadline, and all together have this one. */
const streamTimeoutMs = 3_600_000;

/** Calls one method in JSON over HTTP/1.1. Throws auth's refusal in its own words. */
export async function call<Name extends keyof Methods>(
  transport: Transport,
  { method, request }: { readonly method: Name; readonly request: Methods[Name]["request"] },
  { timeoutMs = defaultTimeoutMs, stopping }: Patience = {},
): Promise<Methods[Name]["response"]> {
  const signal = within(timeoutMs, stopping);
  try {
    const body = new TextEncoder().encode(JSON.stringify(request));
    const answer = await transport.post({ path: `/svc.v1.${method}`, contentType: "application/json", body, signal });
    if (answer.status !== 200) throw await refusalIn(answer, await textOf(answer, mostRefusalBytes, transport), transport);
    if (!answer.contentType.startsWith("application/json")) throw answerUnreadable(transport, `it is ${answer.contentType}`);
    return parsed(await textOf(answer, mostAnswerBytes, transport), transport);
  } catch (thrown) {
    throw transport.explain(causeOf(thrown, signal));
  }
}

/** Calls a method whose answer comes in pieces. The pieces are in the protocol's envelopes. */
export async function* stream<Name extends keyof Streams>(
  transport: Transport,
  { method, request }: { readonly method: Name; readonly request: Streams[Name]["request"] },
  { timeoutMs = streamTimeoutMs, stopping }: Patience = {},
): AsyncGenerator<Streams[Name]["response"]> {
  const signal = within(timeoutMs, stopping);
  try {
    const json = new TextEncoder().encode(JSON.stringify(request));
    const body = new Uint8Array(5 + json.length);
    new DataView(body.buffer).setUint32(1, json.length);
    body.set(json, 5);
    const answer = await transport.post({ path: `/svc.v1.${method}`, contentType: "application/connect+json", body, signal });
    if (answer.status !== 200) throw await refusalIn(answer, await textOf(answer, mostRefusalBytes, transport), transport);
    if (!answer.contentType.startsWith("application/connect+json")) {
      throw answerUnreadable(transport, `it is ${answer.contentType}`);
    }
    for await (const { isEnd, bytes } of readEnvelopes(answer.body, transport)) {
      const text = new TextDecoder().decode(bytes);
      if (isEnd) {
        const { error } = parsed(text, transport) as { readonly error?: unknown };
        if (error !== undefined) throw await refusalIn(answer, JSON.stringify(error), transport);
        return;
      }
      yield parsed(text, transport);
    }
    throw answerUnreadable(transport, "it was cut off");
  } catch (thrown) {
    throw transport.explain(causeOf(thrown, signal));
  }
}

/** In the middle of an answer, node:http reports an ended wait as a lost connection, so the signal's reason comes first. */
function causeOf(thrown: unknown, signal: AbortSignal): unknown {
  return signal.aborted && !isClusterFault(thrown) ? signal.reason : thrown;
}

function within(timeoutMs: number, stopping: AbortSignal | undefined): AbortSignal {
  const deadline = AbortSignal.timeout(timeoutMs);
  return stopping === undefined ? deadline : AbortSignal.any([deadline, stopping]);
}

async function textOf({ body }: PostAnswer, most: number, transport: Transport): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > most) throw answerUnreadable(transport, `it is longer than ${most} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

function parsed(text: string, transport: Transport): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw answerUnreadable(transport, "it is no JSON");
  }
  if (typeof value !== "object" || value === null) throw answerUnreadable(transport, "it is no JSON object");
  return value;
}

type Envelope = { readonly isEnd: boolean; readonly bytes: Uint8Array };

/** Enough for a piece of a backup: 64 KiB, and a third more in base64. */
const mostEnvelopeBytes = 4 * 1024 * 1024;
const headBytes = 5;
const compressed = 1;
const end = 2;

/** Reads Connect's framing of streams: a byte of flags, four bytes of length, and the message. The network may cut the stream anywhere. */
async function* readEnvelopes(body: AsyncIterable<Uint8Array>, transport: Pick<Transport, "whom">): AsyncGenerator<Envelope> {
  let kept: Buffer = Buffer.alloc(0);
  for await (const piece of body) {
    kept = Buffer.concat([kept, piece]);
    while (kept.length >= headBytes) {
      const flags = kept.readUInt8(0);
      const length = kept.readUInt32BE(1);
      if ((flags & compressed) !== 0) throw answerUnreadable(transport, "it is compressed, and nobody asked for that");
      if (length > mostEnvelopeBytes) throw answerUnreadable(transport, `a piece of it has ${length} bytes`);
      if (kept.length < headBytes + length) break;
      yield { isEnd: (flags & end) !== 0, bytes: kept.subarray(headBytes, headBytes + length) };
      kept = kept.subarray(headBytes + length);
    }
  }
}
