import type http from "node:http";
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, RequestOptions } from "node:http";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { readBeside, type Beside } from "../../rules/channel/headers.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { targetOf } from "../../rules/route/host.ts";
import { readBody, type Body } from "./body.ts";
import { closedSilently, Late } from "./failed.ts";
import { addressAttemptMs, noteShown, printUrl, type Hop, type HopExchange, type SeenOnWay } from "./hop.ts";

/** One answer. Redirects are not followed. */
export type Exchanged = Beside & {
  readonly status: number;
  readonly body: Body;
  readonly location: string | undefined;
  readonly contentType: string | undefined;
  readonly retryAfter: string | undefined;
  /** The server's own clock, for a Retry-After date: ours may be wrong. */
  readonly date: string | undefined;
};

export type ExchangedWithHeaders = Exchanged & { readonly headers: IncomingHttpHeaders };

/** Far above the headers of a real answer, and far below a harmful size. Node's own limit is 16 KiB. */
export const longestHeaderBytes: number = 8 * 1024;

/** Sends one request to one server, with limits of time and size. Closes everything that it opened. */
export async function exchange(hop: Hop): Promise<ExchangedWithHeaders> {
  const seen = nothingSeen(hop);
  hop.watch?.({ hop, seen });
  const ended = new AbortController();
  const connectTimer = setTimeout(() => {
    if (isConnecting(seen)) ended.abort(new Late(seen, hop.connectMs));
  }, hop.connectMs);
  const wholeTimer = setTimeout(() => ended.abort(new Late(seen, hop.wholeMs)), hop.wholeMs);
  const stop = (): void => ended.abort(stopped(hop));
  hop.signal?.addEventListener("abort", stop, { once: true });
  if (hop.signal?.aborted === true) stop();
  try {
    ended.signal.throwIfAborted();
    return await converse(await openRequest({ hop, seen }, ended.signal), { hop, seen });
  } catch (error) {
    const failure: unknown = ended.signal.aborted ? ended.signal.reason : error;
    const then = { ...seen };
    // Loads the words for failures only for a failure, because every host asks every ten minutes, and most exchanges succeed.
    const { explainFailure } = await import("./explain.ts");
    throw explainFailure(failure, { hop, seen: then });
  } finally {
    clearTimeout(connectTimer);
    clearTimeout(wholeTimer);
    hop.signal?.removeEventListener("abort", stop);
    ended.abort();
  }
}

function nothingSeen({ url, route }: Hop): SeenOnWay {
  const direct = targetOf(url)?.host.kind === "name" ? "resolving" : "connecting";
  return {
    phase: route.kind === "proxy" ? "tunnelling" : direct,
    addresses: [],
    certificate: undefined,
    protocol: undefined,
    status: undefined,
  };
}

function isConnecting({ phase }: SeenOnWay): boolean {
  return phase === "tunnelling" || phase === "resolving" || phase === "connecting";
}

async function openRequest({ hop, seen }: HopExchange, signal: AbortSignal): Promise<ClientRequest> {
  const options: RequestOptions & Record<string, unknown> = {
    method: hop.method ?? "GET",
    headers: { accept: "text/plain", "accept-encoding": "identity", "user-agent": "svc-upgrade", ...hop.headers },
    // Uses a new connection for each exchange, so that none is open when the process ends.
    agent: false,
    maxHeaderSize: longestHeaderBytes,
    autoSelectFamilyAttemptTimeout: addressAttemptMs,
    signal,
    ...(hop.lookup === undefined ? {} : { lookup: hop.lookup }),
    ...hop.trust?.connection,
  };
  if (hop.route.kind === "proxy") {
    const { throughProxy } = await import("./tunnel.ts");
    Object.assign(options, await throughProxy({ hop, seen }, { route: hop.route, signal }));
  }
  // Loads only this module: `import` of node:http evaluates every getter, WebSocket too, and so loads TLS, HTTP/2 and undici.
  const client = process.getBuiltinModule(hop.url.protocol === "https:" ? "node:https" : "node:http") as typeof http;
  return client.request(hop.url, options);
}

function converse(request: ClientRequest, { hop, seen }: HopExchange): Promise<ExchangedWithHeaders> {
  return new Promise((resolve, reject) => {
    request.on("error", reject);
    // A broken-off answer also closes, but its own error says more.
    request.on("close", () => seen.phase === "reading" || reject(closedSilently()));
    request.on("socket", (socket) => watchSocket(socket, seen));
    request.on("response", (response) => {
      seen.phase = "reading";
      seen.status = response.statusCode;
      readAnswer(response, hop.longestBody).then(resolve, reject);
    });
    request.end();
  });
}

function watchSocket(socket: Socket, seen: SeenOnWay): void {
  const ready = (): void => {
    if (isConnecting(seen)) seen.phase = "waiting";
  };
  // Called for each address of a name; addresses behind a tunnel are not seen here.
  socket.on("lookup", (error: Error | null, address: string) => {
    if (error !== null) return;
    if (seen.phase === "resolving") seen.phase = "connecting";
    seen.addresses.push(address);
  });
  if (isTls(socket)) {
    socket.once("secureConnect", ready);
    noteShown(socket, seen);
  } else if (socket.connecting) socket.once("connect", ready);
  // A socket that failed at once, without a route to an address, is destroyed by now.
  else if (!socket.destroyed) ready();
}

function isTls(socket: Socket): socket is TLSSocket {
  return "encrypted" in socket;
}

async function readAnswer(response: IncomingMessage, longestBody: number): Promise<ExchangedWithHeaders> {
  const { headers, statusCode: status = 0 } = response;
  return {
    status,
    body: await readBody(response, { status, headers }, longestBody),
    location: headers.location,
    contentType: headers["content-type"],
    retryAfter: headers["retry-after"],
    date: headers.date,
    headers,
    ...readBeside(headers),
  };
}

function stopped(hop: Hop): Fault {
  return new Fault("stopping", {
    message: `asking ${printUrl(hop.url)} was stopped before it was answered`,
    hint: "run `svc-upgrade dry-run` to ask again",
  });
}
