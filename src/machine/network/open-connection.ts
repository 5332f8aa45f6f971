import type { IncomingMessage, RequestOptions } from "node:http";
import { connect as connectTo, isIP, type LookupFunction, type Socket, type TcpNetConnectOpts } from "node:net";
import type { TLSSocket } from "node:tls";
import { Fault } from "../../rules/fault/fault.ts";
import type { Proxy } from "../../rules/route/proxy.ts";
import { printHostPort, type HostPort } from "../../rules/route/host-port.ts";
import type { Route } from "../../rules/route/route.ts";
import { longestHeaderBytes } from "./exchange.ts";
import { Late, TunnelRefused } from "./failed.ts";
import type { Hop, SeenOnWay } from "./hop.ts";
import { proxyAuthorization } from "./proxy-authorization.ts";
import type { Trust } from "./trust.ts";

export type Opening = {
  readonly route: Route;
  /** Asked for where the proxy speaks TLS, and nowhere else. */
  readonly trust: () => Trust;
  readonly connectMs: number;
  readonly signal: AbortSignal;
  readonly lookup?: LookupFunction | undefined;
};

/** Node gives up on an address after 250 ms where a name has several, which a far continent or a slow VPN exceeds. */
const addressAttemptMs = 2500;

/**
 * A connection to a server, directly or through a proxy by CONNECT, for whatever is spoken over it. What a proxy does wrong is told as
 * a Fault, as everywhere; what fails on the way to the server is the system's own error, for who knows what the server is.
 */
export async function openConnection(server: HostPort, opening: Opening): Promise<Socket> {
  const { route, connectMs, signal } = opening;
  const { kind } = route;
  const ended = new AbortController();
  const seen: SeenOnWay = {
    phase: kind === "proxy" ? "tunnelling" : "connecting",
    addresses: [],
    certificate: undefined,
    protocol: undefined,
    status: undefined,
  };
  const timer = setTimeout(() => ended.abort(new Late(seen, connectMs)), connectMs);
  const stop = (): void => ended.abort(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    ended.signal.throwIfAborted();
    return kind === "direct"
      ? await connect({ ...server, ...lookingUp(opening) }, ended.signal)
      : await tunnel(server, { proxy: route.proxy, opening, seen, signal: ended.signal });
  } catch (error) {
    const failure: unknown = ended.signal.aborted ? ended.signal.reason : error;
    if (kind === "direct" || failure === signal.reason) throw failure;
    const { explainFailure } = await import("./explain.ts");
    throw explainFailure(failure, { hop: hopTo(server, opening), seen });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

function lookingUp({ lookup }: Opening): Pick<TcpNetConnectOpts, "lookup" | "autoSelectFamilyAttemptTimeout"> {
  return { autoSelectFamilyAttemptTimeout: addressAttemptMs, ...(lookup === undefined ? {} : { lookup }) };
}

function connect(options: TcpNetConnectOpts, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTo(options);
    const stop = (): void => {
      socket.destroy();
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
    socket.once("error", (error) => {
      signal.removeEventListener("abort", stop);
      reject(error);
    });
    socket.once("connect", () => {
      signal.removeEventListener("abort", stop);
      resolve(socket);
    });
  });
}

type Tunnelling = { readonly proxy: Proxy; readonly opening: Opening; readonly seen: SeenOnWay; readonly signal: AbortSignal };

function tunnel(server: HostPort, { proxy, opening, seen, signal }: Tunnelling): Promise<Socket> {
  const target = printHostPort(server);
  const authorization = proxyAuthorization(proxy);
  const options: RequestOptions & { readonly servername?: string } = {
    host: proxy.host,
    port: proxy.port,
    method: "CONNECT",
    path: target,
    headers: { host: target, ...(authorization === undefined ? {} : { "proxy-authorization": authorization }) },
    agent: false,
    maxHeaderSize: longestHeaderBytes,
    signal,
    ...lookingUp(opening),
    // Node would ask for the name in the Host header, which is the server's.
    ...(proxy.scheme === "https" ? { ...opening.trust().connection, servername: isIP(proxy.host) === 0 ? proxy.host : "" } : {}),
  };
  return new Promise((resolve, reject) => {
    const client = process.getBuiltinModule(proxy.scheme === "https" ? "node:https" : "node:http");
    const asking = client.request(options);
    asking.on("error", (error) => reject(isNotHttp(error) ? new TunnelRefused({ status: undefined, reason: "" }) : error));
    asking.on("socket", (socket) => noteCertificate(socket, seen));
    asking.on("connect", ({ statusCode, statusMessage }: IncomingMessage, socket: Socket, early: Buffer) => {
      if (statusCode !== 200) {
        socket.destroy();
        reject(new TunnelRefused({ status: statusCode, reason: statusMessage ?? "" }));
        return;
      }
      if (early.length > 0) socket.unshift(early);
      resolve(socket);
    });
    asking.on("response", (response) => {
      response.destroy();
      reject(new TunnelRefused({ status: response.statusCode, reason: response.statusMessage ?? "" }));
    });
    asking.end();
  });
}

function isNotHttp(error: Error & { readonly code?: string }): boolean {
  return error.code?.startsWith("HPE_") === true;
}

/** What a proxy that is not trusted has shown: afterwards there is none to look at. */
function noteCertificate(socket: Socket, seen: SeenOnWay): void {
  if (!("encrypted" in socket)) return;
  const secured = socket as TLSSocket;
  secured.prependOnceListener("secure", () => {
    seen.certificate = secured.getPeerCertificate(true);
  });
}

function hopTo(server: HostPort, { route, trust, connectMs, signal, lookup }: Opening): Hop {
  const isOverTls = route.kind === "proxy" && route.proxy.scheme === "https";
  return {
    url: urlOf(server),
    route,
    trust: isOverTls ? trust() : undefined,
    longestBody: 0,
    connectMs,
    wholeMs: connectMs,
    signal,
    lookup,
    watch: undefined,
  };
}

/** As routes and messages name a server of TLS. */
export function urlOf(server: HostPort): URL {
  const text = `https://${printHostPort(server)}`;
  const url = URL.parse(text);
  if (url !== null) return url;
  throw new Fault("usage", {
    message: `"${text}" is no address of a server`,
    hint: "HOST:PORT, with a DNS name or an IP address",
  });
}
