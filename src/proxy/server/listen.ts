import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerOptions } from "node:http";
import { createServer as createSecureServer, Server as SecureServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { Fault } from "../../rules/fault/fault.ts";
import { monotonicMs } from "../../machine/clocks/monotonic.ts";
import type { HostPort } from "../../rules/route/host-port.ts";
import { refusals } from "../server-rules/refusal.ts";
import { admit, admitSecurely, type Admission } from "../../machine/listening/admit.ts";
import type { Connection, Connections } from "../../machine/listening/connections.ts";
import type { Limits } from "./limits.ts";
import { whyNotListening } from "../../machine/listening/not-listening.ts";
import { readHello } from "./hello.ts";
import type { PassOn } from "./pass-on.ts";
import { refuseRaw, sayAndClose } from "./refuse-raw.ts";
import type { Upgrades } from "./shells.ts";
import { SpareTime } from "../../machine/listening/spare-time.ts";
import { contextOptions, type TlsOptions } from "./tls.ts";
import { Turns } from "./questions-in-turn.ts";

export type Listening = {
  readonly server: Server | SecureServer;
  readonly port: number;
  /** Finishes open requests, then accepts no more connections, and cuts those that do not end. */
  readonly drain: () => Promise<void>;
  /** Replaces the certificate for clients that name no host, from the next handshake on. */
  readonly renew: (pair: { readonly key: string; readonly cert: string }) => void;
};

export type ListenOptions = {
  readonly at: HostPort;
  /** The file descriptor of a socket that listens already. It replaces a socket of our own at that address. */
  readonly passed?: number | undefined;
  /** The setting's name, for a fault. */
  readonly setting: string;
  readonly limits: Limits;
  readonly connections: Connections;
  readonly tls: TlsOptions | undefined;
  /** Whether a request's body is read; any other body is dropped. */
  readonly takesBody?: (request: IncomingMessage) => boolean;
  /** The other service on a shared port: connections that ask for it are passed on. */
  readonly passOn?: PassOn | undefined;
  /** Takes hosts' tunnels on a shared port. Tunnels last for days, so the listener's limits do not count them. */
  readonly tunnels?: TunnelEnd | undefined;
  /** Takes requests that become streams. The limits do not count these either. */
  readonly upgrades?: Upgrades | undefined;
};

/** The proxy's end of hosts' tunnels. It gets a connection before anything was read from it. */
export type TunnelEnd = {
  readonly isAskedFor: (name: string) => boolean;
  readonly take: (socket: Socket) => void;
  readonly close: () => void;
};

export async function listen(listener: RequestListener, options: ListenOptions): Promise<Listening> {
  const { at, passed, setting, limits, connections, tls, takesBody = never, passOn, tunnels, upgrades } = options;
  const spare = new SpareTime(() => connections.accepted);
  const turns = new Turns(connections, { mostUnread: limits.unreadBytes, spare });
  const httpOptions: ServerOptions = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    // Node would set this timeout again for each answer. `server.timeout` below covers idle connections too.
    keepAliveTimeout: 0,
    connectionsCheckingInterval: limits.lookEveryMs,
    // Refuses a missing or wrong Host header itself, with its own message.
    requireHostHeader: false,
    highWaterMark: 2 * limits.headerBytes,
    optimizeEmptyRequests: true,
    shouldUpgradeCallback: (request) => upgrades?.isAskedFor(request) ?? false,
  };
  // Connections that close after their last answer.
  const ending = new WeakSet<Duplex>();
  const answer: RequestListener = (request, response) => {
    const isRead = takesBody(request);
    if (!isRead && bringsBody(request)) {
      response.shouldKeepAlive = false;
      ending.add(request.socket);
    }
    listener(request, response);
    const connection = connections.asked(request.socket);
    if (connection === undefined) return;
    // Waits for the rest of a request whose body is read.
    if (isRead && !request.complete) request.once("end", () => turns.asked(connection, response));
    else turns.asked(connection, response);
  };
  const admission = { connections, spare, begin: (connection: Connection): void => turns.begin(connection) };
  const server =
    tls === undefined
      ? createServer(httpOptions, answer)
      : createSecureServer({ ...httpOptions, ...tls, handshakeTimeout: limits.headersMs }, answer);
  if (server instanceof SecureServer)
    admitSecurely(server, { ...admission, ...(passOn && { look: lookFor(passOn, limits, { tunnels, connections }) }) });
  else admit(server, admission);
  // Node would send 100 or 417 by itself.
  server.on("checkContinue", answer);
  server.on("checkExpectation", answer);
  server.maxConnections = limits.mostConnections;
  // This timeout ends idle connections, and connections whose client does not read its answers.
  server.timeout = limits.keepAliveMs;
  server.on("clientError", (error, socket) => {
    // Sends no second answer: the client would take it for the answer to its next request.
    if (ending.has(socket)) socket.end(() => socket.destroy());
    else refuseRaw(error, socket);
  });
  server.on("upgrade", (request, socket: Socket, head: Buffer) => {
    connections.release(socket);
    // The stream's own code reads the socket from now on. The stream may be silent for hours.
    socket.removeAllListeners("readable");
    socket.setTimeout(0);
    upgrades?.take(request, socket, head);
  });
  server.on("connect", (_request, socket) => sayAndClose(refusals.methodNotAllowed, socket));
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(notListening(error, at, setting)));
    const where = passed === undefined ? { port: at.port, host: at.host } : { fd: passed };
    server.listen({ ...where, backlog: longestBacklog }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    server,
    port,
    drain: () => {
      passOn?.hurry(limits.lastWordMs);
      tunnels?.close();
      return drain(server, connections, limits);
    },
    renew: (pair) => {
      if (server instanceof SecureServer) server.setSecureContext(contextOptions(pair));
    },
  };
}

/** Reads the client hello in at most half of the handshake's time. If it is unreadable, the handshake refuses it as usual. */
function lookFor(
  { isAskedFor, pass }: PassOn,
  { headersMs }: Limits,
  { tunnels, connections }: Pick<ListenOptions, "tunnels" | "connections">,
): NonNullable<Admission["look"]> {
  return (connection, handshake) =>
    readHello(connection.socket, headersMs / 2, (name) => {
      if (name !== undefined && tunnels?.isAskedFor(name) === true) {
        connections.release(connection.socket);
        tunnels.take(connection.socket);
      } else if (name !== undefined && isAskedFor(name)) pass(connection);
      else handshake();
    });
}

function never(): boolean {
  return false;
}

/** Whether a request has a body. The server reads no body here: a wrong, late or endless one must not delay other clients. */
function bringsBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
}

/** A whole fleet may connect at once after a power cut. The kernel lowers this to its own limit. */
const longestBacklog = 4096;
const lookForIdleEveryMs = 50;

type Draining = Pick<Limits, "drainMs" | "lastWordMs">;

/**
 * Keeps the socket open until earlier requests are done, or every client would be refused for as long as the slowest takes. Lets a kept connection
 * send one more request, whose answer says that it was the last, or a request that is on its way would be lost.
 */
async function drain(server: Server | SecureServer, connections: Connections, { drainMs, lastWordMs }: Draining): Promise<void> {
  let before: readonly Connection[] = connections.all();
  const startedMs = monotonicMs();
  const spentMs = (): number => monotonicMs() - startedMs;
  // Leaves `lastWordMs` for requests that come meanwhile.
  while (before.length > 0 && spentMs() < drainMs - lastWordMs) {
    if (spentMs() >= lastWordMs) server.closeIdleConnections();
    await sleep(lookForIdleEveryMs);
    before = before.filter((connection) => connections.has(connection));
  }
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection whose answer was just sent becomes idle after the server was closed.
  const idle = setInterval(() => server.closeIdleConnections(), lookForIdleEveryMs);
  const cut = setTimeout(() => {
    for (const { socket } of connections.all()) socket.destroy();
  }, drainMs - spentMs());
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}

function notListening(error: Error, at: HostPort, setting: string): Fault {
  return new Fault("os-failed", whyNotListening(error, { at, setting, unit: "svc-proxy.service" }));
}
