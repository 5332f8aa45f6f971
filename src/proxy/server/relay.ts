import type { IncomingMessage, ServerResponse } from "node:http";
import { siteOf } from "../../machine/listening/connections.ts";
import { AtOnce, type AtOnceLimits, type Taken } from "./at-once.ts";
import type { Meter } from "./meter.ts";

/** A user's call for auth, signed in or not. Auth judges its content. */
export type RelayedCall = {
  readonly path: string;
  readonly body: Uint8Array;
  /** The caller's proof of identity, and where it calls from. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
};

export type RelayedAnswer = {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfter: string | undefined;
  /** The time of auth's clock, by which callers set theirs. */
  readonly date: string | undefined;
  readonly body: Uint8Array;
};

/** A browser's request in the middle of a sign-in. */
export type Visit = {
  readonly path: string;
  /** The fields of a form, if one was sent. */
  readonly query: string;
  readonly cookie: string;
  readonly address: string;
  readonly signal: AbortSignal;
};

/** A page, or the address to which the browser is redirected. */
export type Visited = {
  readonly status: number;
  readonly location: string;
  readonly cookie: string;
  readonly page: string;
  /** Whether the browser must also send the cookie with another site's form. */
  readonly isCrossSite: boolean;
};

export type Relay = {
  /** Throws if auth does not answer. */
  readonly visit: (visit: Visit) => Promise<Visited>;
  /** Whether people may make this call. All other calls of auth cannot be reached from here. */
  readonly isForPeople: (path: string) => boolean;
  /** Throws if auth does not answer. */
  readonly post: (call: RelayedCall) => Promise<RelayedAnswer>;
};

export type RelayLimits = AtOnceLimits & {
  readonly bodyBytes: number;
  /** All bodies together, including incomplete ones. */
  readonly bytesAtOnce: number;
  readonly waitMs: number;
};

export const relayLimits: RelayLimits = {
  // Half of the calls that auth accepts from one proxy at once.
  atOnce: 128,
  atOnceOfOne: 32,
  // A resource has some kilobytes.
  bodyBytes: 1024 * 1024,
  bytesAtOnce: 128 * 1024 * 1024,
  // Longer than auth takes for any single answer.
  waitMs: 30_000,
};

/** Answers a request, then resolves; never rejects. */
export type AnswerCall = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const prefix = "/svc.v1.";

export function isCall({ url }: Pick<IncomingMessage, "url">): boolean {
  return url?.startsWith(prefix) === true;
}

/** The request headers that are passed on. No other means anything to auth. */
const handedOn = ["authorization", "dpop"] as const;
const longestHeader = 4096;

type Refused = { readonly status: number; readonly code: string; readonly message: string };
type Ports = { readonly meter: Pick<Meter, "relayed">; readonly limits?: RelayLimits };

export function relayFor(relay: Relay, { meter, limits = relayLimits }: Ports): AnswerCall {
  const calls = new AtOnce(limits);
  const bytes = new AtOnce({ atOnce: limits.bytesAtOnce, atOnceOfOne: limits.bytesAtOnce });
  return async (request, response) => {
    const wrong = wrongWithCall(request, relay);
    const handing = { request, response, relay, limits, calls, bytes };
    meter.relayed(wrong === undefined ? await handOn(handing) : refuse(wrong, response));
  };
}

function wrongWithCall({ method, headers, url = "" }: IncomingMessage, { isForPeople }: Relay): Refused | undefined {
  if (method !== "POST") return { status: 405, code: "unimplemented", message: "a call is POST /svc.v1.SERVICE/METHOD" };
  if (!isForPeople(url)) return { status: 404, code: "unimplemented", message: "no such call goes through a proxy" };
  if (!/^application\/json *(?:;|$)/.test(headers["content-type"] ?? "")) {
    return { status: 415, code: "invalid_argument", message: "a call is in JSON: content-type: application/json" };
  }
  const isLong = handedOn.some((name) => String(headers[name] ?? "").length > longestHeader);
  return isLong ? { status: 431, code: "invalid_argument", message: "the headers of the call are too long" } : undefined;
}

const crowded: Refused = { status: 503, code: "unavailable", message: "this proxy hands on as many calls as it may at present" };
const tooLarge: Refused = { status: 413, code: "resource_exhausted", message: "the call is larger than auth takes" };
const noAuth: Refused = {
  status: 503,
  code: "unavailable",
  message: "the proxy cannot reach the cluster's auth service at present",
};

type HandingOn = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly relay: Relay;
  readonly limits: RelayLimits;
  readonly calls: AtOnce;
  readonly bytes: AtOnce;
};

/** Returns the answered status; 0 if the caller has gone. */
async function handOn({ request, response, relay, limits, calls, bytes }: HandingOn): Promise<number> {
  const from = siteOf(request.socket.remoteAddress);
  const over = new AbortController();
  const leave = (): void => over.abort();
  const lose = (): void => {
    refuse(crowded, response);
    leave();
  };
  response.once("close", leave);
  const held = bytes.take(from, lose);
  let place: Taken | undefined;
  try {
    const body = held === undefined ? undefined : await bodyOf(request, held, limits.bodyBytes);
    if (body === "too-large") return refuse(tooLarge, response);
    // A place is taken only after the body has come, so a client that sends slowly takes no place from others.
    place = body === undefined ? undefined : calls.take(from, lose);
    if (body === undefined || place === undefined) return refuse(crowded, response);
    const signal = AbortSignal.any([over.signal, AbortSignal.timeout(limits.waitMs)]);
    const answer = await relay.post({ path: request.url ?? "", body, headers: headersFor(request), signal });
    if (over.signal.aborted) return response.headersSent ? crowded.status : 0;
    say(answer, response);
    return answer.status;
  } catch {
    // The proxy's log has the reason, which the client must not learn.
    return response.destroyed && !response.headersSent ? 0 : refuse(noAuth, response);
  } finally {
    response.off("close", leave);
    place?.giveBack();
    held?.giveBack();
  }
}

/** Reads the body of a request. Undefined if there is no room for it. */
export async function bodyOf(request: IncomingMessage, held: Taken, most: number): Promise<Uint8Array | "too-large" | undefined> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  // The connection stays open after an early stop, so that the caller reads the reason.
  for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
    length += piece.length;
    if (length > most) return "too-large";
    if (!held.takeMore(piece.length)) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function headersFor({ headers, socket }: IncomingMessage): Readonly<Record<string, string>> {
  const found = handedOn.flatMap((name) => {
    const value = headers[name];
    return typeof value === "string" ? [[name, value]] : [];
  });
  return Object.fromEntries([...found, ["svc-client-address", (socket.remoteAddress ?? "").replace(/^::ffff:/, "")]]);
}

function say({ status, contentType, retryAfter, date, body }: RelayedAnswer, response: ServerResponse): void {
  response.writeHead(status, {
    "content-type": contentType,
    "content-length": body.length,
    "cache-control": "no-store",
    ...(retryAfter === undefined ? {} : { "retry-after": retryAfter }),
    ...(date === undefined ? {} : { date }),
  });
  response.end(body);
}

/** Refuses a call in auth's protocol, which auth's clients understand. Does nothing if the answer has begun already. */
function refuse({ status, code, message }: Refused, response: ServerResponse): number {
  if (response.headersSent) return status;
  response.shouldKeepAlive = false;
  const body = `${JSON.stringify({ code, message })}\n`;
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    ...(status === 503 ? { "retry-after": "1" } : {}),
  });
  response.end(body);
  return status;
}
