import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { Code, createContextValues } from "@connectrpc/connect";
import type { UniversalHandler, UniversalServerResponse } from "@connectrpc/connect/protocol";
import type { Log } from "../../machine/logging/log.ts";
import { readBody } from "./body.ts";
import { shorterDeadline } from "./body.ts";
import { mostMessageBytes, mostStrangerBytes, type AuthLimits } from "./limits.ts";
import { admissionOf } from "./methods.ts";
import { outcomeKey, wordOf, type CountedCall, type Outcome } from "./outcome.ts";
import { findCallerKey, readWholeKey, type FindCaller } from "./router.ts";
import { readableWhole } from "./body.ts";

/** A request and its response, of HTTP/1.1 or HTTP/2: both have the methods that auth uses. */
export type Call = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly findCaller: FindCaller;
  /** Set if too many calls are under way. Auth then refuses this one without reading it. */
  readonly isTooMany: boolean;
  /** Ends the call without an answer, or in the middle of one. */
  readonly giveUp: () => void;
};

/** Settles when the call is over, and never rejects. */
export type AnswerCall = (call: Call) => Promise<void>;

export type CallPorts = {
  readonly routes: ReadonlyMap<string, UniversalHandler>;
  readonly limits: Pick<AuthLimits, "bodyMs" | "unreadMs">;
  readonly log: Log;
  readonly counted: (call: CountedCall) => void;
};

/** Passes requests of Node to Connect, and its answers back. */
export function answerCalls({ routes, limits, log, counted }: CallPorts): AnswerCall {
  return (call) => {
    const { request, response, giveUp } = call;
    // Clients that go away are no error.
    request.on("error", () => undefined);
    response.on("error", () => undefined);
    // A closed HTTP/2 response counts as finished and not as destroyed, so we watch for its close ourselves.
    const gone = new AbortController();
    response.once("close", () => {
      if (!response.writableEnded) gone.abort();
    });
    const path = (request.url ?? "").replace(/\?.*$/s, "");
    const handler = routes.get(path);
    const outcome: Outcome = {};
    return answer(handler, { ...call, ...limits, gone: gone.signal }, outcome).then(
      (word) => counted({ method: handler?.requestPath.replace("/svc.v1.", ""), outcome: word, refused: outcome.refused }),
      (thrown: unknown) => {
        if (!gone.signal.aborted && !response.writableEnded)
          log("warning", "an answer could not be given", { path, why: String(thrown) });
        giveUp();
      },
    );
  };
}

type LimitedCall = Call & CallPorts["limits"] & { readonly gone: AbortSignal };

/** Answers the call, and returns the outcome as a word. */
async function answer(handler: UniversalHandler | undefined, call: LimitedCall, outcome: Outcome): Promise<string> {
  if (call.isTooMany) return say(refusedUnheard(call.request, tooBusy), call);
  if (handler === undefined) return say(refusedUnheard(call.request, unknownMethod), call);
  const { request, findCaller, gone } = call;
  const body = readableWhole(readBody(request, { mostBytes: mostBytesFor(handler), mostMs: call.bodyMs }));
  const told = await handler({
    httpVersion: request.httpVersion,
    method: request.method ?? "",
    // Connect wants a whole URL; its host does not matter.
    url: `https://auth${handler.requestPath}`,
    header: headersOf(request.headers),
    body: body.pieces,
    signal: gone,
    contextValues: createContextValues().set(findCallerKey, findCaller).set(readWholeKey, body.whole).set(outcomeKey, outcome),
  });
  const word = await say(told, call);
  return outcome.failed === undefined ? word : wordOf(outcome.failed);
}

/** A proxy hands on SAML answers, which may be large. All other calls of instances and visitors are as small as those of strangers. */
function mostBytesFor({ requestPath }: UniversalHandler): number {
  if (requestPath === "/svc.v1.SessionService/VisitSignIn") return mostMessageBytes;
  const kind = admissionOf(requestPath.slice(1))?.kind;
  return kind === "everybody" || kind === "visitors" || kind === "known" || kind === "instances"
    ? mostStrangerBytes
    : mostMessageBytes;
}

/** Leaves content-length out, because Connect would allocate that much before the body arrives. */
function headersOf(given: IncomingHttpHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    if (name.startsWith(":") || name === "content-length" || value === undefined) continue;
    headers.set(name, shorterDeadline(name, Array.isArray(value) ? value.join(", ") : value));
  }
  return headers;
}

async function say({ status, header, body, trailer }: UniversalServerResponse, call: LimitedCall): Promise<string> {
  const { request, response, giveUp, unreadMs, gone } = call;
  const pieces = body?.[Symbol.asyncIterator]();
  try {
    // Connect sets the headers when it makes the first piece.
    let piece = await pieces?.next();
    const headers = { ...plainHeaders(header), "cache-control": "no-store" };
    if (gone.aborted) return "gone";
    // Closes the connection if the request's body is unread: it would be taken for the next call.
    if (request.httpVersionMajor === 1 && !request.complete) Object.assign(headers, { connection: "close" });
    response.writeHead(status, headers);
    for (; piece !== undefined && piece.done !== true; piece = await pieces?.next()) await write(piece.value, call);
    if (gone.aborted) return "gone";
    if (trailer !== undefined) response.addTrailers(plainHeaders(trailer));
    response.end();
    const tooLate = setTimeout(giveUp, unreadMs);
    response.once("close", () => clearTimeout(tooLate));
    const grpcStatus = trailer?.get("grpc-status") ?? header?.get("grpc-status") ?? "0";
    return status === 200 && grpcStatus === "0" ? "ok" : "refused_unheard";
  } finally {
    await pieces?.return?.();
  }
}

function plainHeaders(headers: Headers | undefined): OutgoingHttpHeaders {
  return Object.fromEntries(headers?.entries() ?? []);
}

async function write(bytes: Uint8Array, { response, unreadMs, gone }: LimitedCall): Promise<void> {
  gone.throwIfAborted();
  if (response.write(bytes)) return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const tooLate = setTimeout(() => reject(new Error(`nothing of the answer was read for ${unreadMs / 1000} seconds`)), unreadMs);
  const closed = (): void => reject(new Error("the client went away"));
  response.once("drain", resolve);
  response.once("close", closed);
  try {
    await promise;
  } finally {
    clearTimeout(tooLate);
    response.off("drain", resolve);
    response.off("close", closed);
  }
}

type Unheard = {
  readonly code: Code;
  readonly status: number;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
};

const unknownMethod: Unheard = {
  code: Code.Unimplemented,
  status: 404,
  message: "auth has no such method: a call is POST /svc.v1.SERVICE/METHOD",
  headers: {},
};

const tooBusy: Unheard = {
  code: Code.Unavailable,
  status: 503,
  message: "auth has too many calls under way: ask again in some seconds",
  headers: { "retry-after": "5" },
};

/** Refuses a call in the protocol of its request. */
function refusedUnheard(
  { headers: asked }: IncomingMessage,
  { code, status, message, headers }: Unheard,
): UniversalServerResponse {
  if (asked["content-type"]?.startsWith("application/grpc") === true) {
    const told = { "content-type": "application/grpc", "grpc-status": String(code), "grpc-message": message };
    return { status: 200, header: new Headers({ ...headers, ...told }) };
  }
  const json = new TextEncoder().encode(`${JSON.stringify({ code: wordOf(code), message })}\n`);
  return { status, header: new Headers({ ...headers, "content-type": "application/json" }), body: inOnePiece(json) };
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
