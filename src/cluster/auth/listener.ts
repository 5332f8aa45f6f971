import type { IncomingMessage, ServerOptions, ServerResponse } from "node:http";
import { constants, createSecureServer, type Http2ServerRequest, type Http2Session, type SecureServerOptions } from "node:http2";
import type { AddressInfo } from "node:net";
import { TLSSocket, type TlsOptions } from "node:tls";
import { Fault } from "../../rules/fault/fault.ts";
import type { InstanceId } from "../identity/names.ts";
import { admitSecurely } from "../../machine/listening/admit.ts";
import type { Connection, Connections } from "../../machine/listening/connections.ts";
import { whyNotListening } from "../../machine/listening/not-listening.ts";
import { SpareTime } from "../../machine/listening/spare-time.ts";
import type { HostPort } from "../../rules/route/host-port.ts";
import { drain } from "./drain.ts";
import { isOf, type Shown } from "./gate.ts";
import type { AuthLimits } from "./limits.ts";
import { UnderWay } from "./under-way.ts";

export type Listener = {
  readonly port: number;
  /** Uses a new certificate, authorities or ticket keys from the next handshake on. */
  readonly renew: (tls: TlsOptions) => void;
  /** Closes every connection that has shown a certificate of this instance. */
  readonly cut: (id: InstanceId) => void;
  /** Answers the calls under way, then cuts the rest. */
  readonly stop: () => Promise<void>;
};

/** A call, with the certificate of its connection. */
export type Asked = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly shown: Shown;
  /** Too many calls are under way. */
  readonly isTooMany: boolean;
  /** Ends the call without an answer. */
  readonly giveUp: () => void;
};

export type ListenerOptions = {
  readonly at: HostPort;
  readonly tls: TlsOptions;
  readonly limits: AuthLimits;
  readonly connections: Connections;
};

/** HTTP/2 and HTTP/1.1 on one port; the handshake decides. */
export async function listenSecurely(answer: (asked: Asked) => Promise<void>, options: ListenerOptions): Promise<Listener> {
  const { at, tls, limits, connections } = options;
  const underWay = new UnderWay(limits);
  const sessions = new Map<Http2Session, Connection>();
  let isStopping = false;
  const server = createSecureServer({ ...tls, ...httpOptions(limits) });
  admitSecurely(server, { connections, spare: new SpareTime(() => connections.accepted), begin: countByCertificate });
  server.maxConnections = limits.mostConnections;
  server.setTimeout(limits.idleMs);
  server.on("timeout", endIdle);
  server.on("session", (session) => {
    const connection = connections.find(session.socket);
    if (connection === undefined) {
      session.destroy();
      return;
    }
    sessions.set(session, connection);
    session.once("close", () => sessions.delete(session));
  });
  const connectionOf = (request: IncomingMessage): Connection | undefined => {
    const session = sessionOf(request);
    return session === undefined ? connections.find(request.socket) : sessions.get(session);
  };
  server.on("request", (asked, answering) => {
    const request = asked as unknown as IncomingMessage;
    const response = answering as unknown as ServerResponse;
    const connection = connectionOf(request);
    if (connection === undefined || connection.unanswered > limits.callsOfOneConnection) {
      request.socket.destroy();
      return;
    }
    connections.asked(connection.socket);
    const { isTooMany, end } = underWay.begin(connection);
    const closed = new Promise<void>((resolve) => void response.once("close", () => resolve()));
    if (isStopping && request.httpVersionMajor === 1) response.shouldKeepAlive = false;
    endUnread(request);
    const answered = answer({ request, response, shown: shownOver(connection), isTooMany, giveUp: () => giveUp(request) });
    // A client that leaves early still counts until its call is done.
    void Promise.all([answered, closed]).then(end);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(notListening(error, at)));
    server.listen({ port: at.port, host: at.host, backlog: longestBacklog }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    renew: (changed) => server.setSecureContext(changed),
    cut: (id) => {
      for (const connection of connections.all()) if (isOf(shownOver(connection), id)) connection.socket.destroy();
    },
    stop: async () => {
      isStopping = true;
      await drain(server, { connections, limits, isInSession: (connection) => [...sessions.values()].includes(connection) });
    },
  };
}

/** Enough for a fleet that comes back at once after a power cut. The kernel may cut this to its own limit. */
const longestBacklog = 4096;
/** The most headers of one request. */
const mostHeaders = 64;
/** The most memory of one HTTP/2 session, in megabytes: headers, and data that waits to be sent. */
const sessionMegabytes = 2;
/** How many calls a client may reset at once, and then per second. A person who stops a program resets one. */
const resets = { streamResetBurst: 64, streamResetRate: 8 };
const mostInvalidFrames = 16;
const mostSettings = 16;

const lookForGoneMs = 50;

function httpOptions(limits: AuthLimits): SecureServerOptions {
  return {
    allowHTTP1: true,
    handshakeTimeout: limits.headersMs,
    settings: { maxConcurrentStreams: limits.callsOfOneConnection, maxHeaderListSize: limits.headerBytes, enablePush: false },
    maxHeaderListPairs: mostHeaders,
    maxSessionMemory: sessionMegabytes,
    maxSettings: mostSettings,
    maxSessionInvalidFrames: mostInvalidFrames,
    maxSessionRejectedStreams: mostInvalidFrames,
    ...resets,
    http1Options: oldOptions(limits),
  };
}

/** The options of HTTP/1.1. */
function oldOptions(limits: AuthLimits): ServerOptions {
  return {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    // A late backstop: readBody has its own deadline, and tells the client why.
    requestTimeout: limits.headersMs + limits.bodyMs + limits.unreadMs,
    // server.setTimeout ends idle connections.
    keepAliveTimeout: 0,
    connectionsCheckingInterval: limits.lookForSlowMs,
    requireHostHeader: false,
  };
}

function sessionOf(request: IncomingMessage): Http2Session | undefined {
  return request.httpVersionMajor === 1 ? undefined : (request as unknown as Http2ServerRequest).stream.session;
}

/** Counts clients by certificate, because all that come through a proxy share its address. Clients without one count by address. */
function countByCertificate(connection: Connection): void {
  const { socket } = connection;
  if (!(socket instanceof TLSSocket) || !socket.authorized) return;
  // The certificate names the instance, also on a resumed session.
  connection.from = socket.getPeerX509Certificate()?.subjectAltName ?? connection.from;
}

/** Reads what the connection shows, once for each call. */
function shownOver({ socket }: Connection): Shown {
  const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate()?.raw : undefined;
  return { certificate, address: socket.remoteAddress ?? "" };
}

function endIdle(idle: Http2Session | TLSSocket): void {
  if (idle instanceof TLSSocket) idle.destroy();
  else idle.destroy(undefined, constants.NGHTTP2_NO_ERROR);
}

/** Ends one call of HTTP/2, or a whole connection of HTTP/1.1. */
function giveUp(request: IncomingMessage): void {
  if (request.httpVersionMajor === 1) request.socket.destroy();
  else (request as unknown as Http2ServerRequest).stream.close(constants.NGHTTP2_CANCEL);
}

/** Closes an answered stream whose request never ends: its client would keep the place. */
function endUnread(request: IncomingMessage): void {
  if (request.httpVersionMajor === 1) return;
  const { stream } = request as unknown as Http2ServerRequest;
  stream.once("prefinish", () => {
    // Waits until the trailers are sent: a reset before would drop them.
    const look = setInterval(() => {
      if (stream.state.localClose === 1) stream.close(constants.NGHTTP2_NO_ERROR);
    }, lookForGoneMs);
    stream.once("close", () => clearInterval(look));
  });
}

function notListening(error: Error, at: HostPort): Fault {
  return new Fault(
    "configuration-invalid",
    whyNotListening(error, { at, setting: "auth_service.listen_addr", unit: "svc.service" }),
  );
}
