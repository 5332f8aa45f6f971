import diagnostics from "node:diagnostics_channel";
import { EventEmitter } from "node:events";
import type { ClientRequest, RequestOptions } from "node:http";
import type { LookupFunction, Socket } from "node:net";
import { proxies, type ProxyAgentOptions } from "proxy-agent";
import { Fault } from "../../rules/fault/fault.ts";
import type { HostPort } from "../../rules/route/host-port.ts";
import { printProxy } from "../../rules/route/proxy.ts";
import type { Route } from "../../rules/route/route.ts";
import { connectTo } from "./connect-to.ts";
import { isTlsFailure } from "./explain-tls.ts";
import { TunnelRefused } from "./failed.ts";
import { addressAttemptMs, noteShown, type HopExchange, type SeenOnWay } from "./hop.ts";
import { proxyAuthorization } from "./proxy-authorization.ts";
import { beginTls, shakeHands } from "./shake-hands.ts";
import type { Trust } from "./trust.ts";
import { environmentFileOf } from "./what-to-type.ts";

/** A proxy and how this host reaches it. The caller has chosen the route by environment and exceptions. */
export type ToProxy = {
  readonly route: Extract<Route, { kind: "proxy" }>;
  /** Called only if the proxy speaks TLS. */
  readonly trust: () => Trust | undefined;
  /** Closes the connection to the proxy: proxy-agent has no deadline. */
  readonly signal: AbortSignal;
  /** Looks up the proxy's own name. The proxy resolves the server's. */
  readonly lookup?: LookupFunction | undefined;
};

/** The options that send a request through the proxy: for https a tunnel with TLS inside, for http an agent that asks the proxy for the whole URL. */
export async function throughProxy({ hop, seen }: HopExchange, way: Pick<ToProxy, "route" | "signal">): Promise<RequestOptions> {
  const { url, trust, lookup } = hop;
  const to = { ...way, trust: () => trust, lookup };
  const { proxy } = way.route;
  if (url.protocol === "http:") {
    const HttpProxyAgent = await proxies[proxy.scheme][0]();
    return { agent: new HttpProxyAgent(printProxy(proxy), optionsFor(to)) };
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const tunnel = await openTunnel({ host, port: Number(url.port || 443) }, to);
  seen.phase = "connecting";
  // Gives no agent, which Node would ask first. The socket holds the request until the handshake ends.
  return { agent: undefined, createConnection: () => beginTls(tunnel, host, trust) };
}

/** Connects to the server by CONNECT. Fails with TunnelRefused, a Fault, or an error of the connection to the proxy. */
export async function openTunnel(server: HostPort, way: ToProxy): Promise<Socket> {
  const {
    route: { proxy },
    signal,
    lookup,
  } = way;
  const options = optionsFor(way);
  // A TLS socket hides its TCP socket, so we open that first.
  const own = proxy.scheme === "https" ? await connectTo({ host: proxy.host, port: proxy.port, signal, lookup }) : undefined;
  const HttpsProxyAgent = await proxies[proxy.scheme][1]();
  const agent = new HttpsProxyAgent(printProxy(proxy), own === undefined ? options : { ...options, socket: own });
  let refused: TunnelRefused | undefined;
  // proxy-agent emits the proxy's answer on the request, so an emitter stands in for it.
  const asking = new EventEmitter().on("proxyConnect", ({ statusCode: status, statusText: reason }) => {
    if (status !== 200) refused = new TunnelRefused({ status, reason });
  });
  const { result, sockets } = watchingSockets(() => agent.connect(asking as ClientRequest, { ...server, secureEndpoint: false }));
  const socket = await guarded(Promise.resolve(result), { sockets: own === undefined ? sockets : [own], way });
  if (refused !== undefined) throw refused;
  return socket as Socket;
}

type Noting = ToProxy & { readonly seen: SeenOnWay };

/** Fetches the certificate of an untrusted proxy by a second connection without a request, because proxy-agent hides it. */
export async function noteProxy(failure: unknown, { route, trust, signal, lookup, seen }: Noting): Promise<void> {
  const { scheme, host, port } = route.proxy;
  if (scheme !== "https" || !(failure instanceof Error) || !isTlsFailure(failure)) return;
  try {
    const secured = beginTls(await connectTo({ host, port, signal, lookup }), host, trust());
    noteShown(secured, seen);
    (await shakeHands(secured, signal)).destroy();
  } catch {
    // The caller reports the first failure, not this one.
  }
}

function optionsFor({ route: { proxy }, trust, signal, lookup }: ToProxy): ProxyAgentOptions {
  const authorization = proxyAuthorization(proxy);
  return {
    // Keeps the credentials out of the URL, because proxy-agent logs URLs for debugging and decodes them in its own way.
    headers: authorization === undefined ? {} : { "Proxy-Authorization": authorization },
    signal,
    noDelay: true,
    autoSelectFamilyAttemptTimeout: addressAttemptMs,
    ...(lookup === undefined ? {} : { lookup }),
    ...(proxy.scheme === "https" ? trust()?.connection : {}),
  };
}

/** Far above any proxy's answer to CONNECT, even with a page that explains a refusal. */
const longestAnswerBytes = 16 * 1024;
/** A handshake is mostly certificates: three of 4 KiB are many. */
const longestHandshakeBytes = 48 * 1024;
/** Often enough that a flood takes only a few megabytes, and seldom enough to cost nothing. */
const lookEveryMs = 10;

type Guarding = { readonly sockets: readonly Socket[]; readonly way: ToProxy };

/** Limits the answer: proxy-agent collects it until its headers end, so an endless one would fill the memory. */
async function guarded<T>(answer: Promise<T>, { sockets, way: { route, signal } }: Guarding): Promise<T> {
  const most = longestAnswerBytes + (route.proxy.scheme === "https" ? longestHandshakeBytes : 0);
  let timer: NodeJS.Timeout | undefined;
  const broken = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      if (signal.aborted) reject(signal.reason);
      else if (sockets.some((socket) => socket.bytesRead > most)) reject(endless(route));
    }, lookEveryMs);
  });
  try {
    return await Promise.race([answer, broken]);
  } catch (thrown) {
    for (const socket of sockets) socket.destroy();
    throw thrown;
  } finally {
    clearInterval(timer);
  }
}

/** The connections that the work opens before it first waits. */
function watchingSockets<T>(work: () => T): { readonly result: T; readonly sockets: readonly Socket[] } {
  const sockets: Socket[] = [];
  const note = (message: unknown): void => void sockets.push((message as { readonly socket: Socket }).socket);
  diagnostics.subscribe("net.client.socket", note);
  try {
    return { result: work(), sockets };
  } finally {
    diagnostics.unsubscribe("net.client.socket", note);
  }
}

function endless(route: ToProxy["route"]): Fault {
  return new Fault("proxy-refused", {
    message: `what answers at the proxy's address ${printProxy(route.proxy)} does not come to the end of its answer to CONNECT: more than ${longestAnswerBytes / 1024} KiB of headers`,
    hint: `check that it is an HTTP CONNECT proxy, and look at its log; the proxy is set in ${environmentFileOf(route)}`,
  });
}
