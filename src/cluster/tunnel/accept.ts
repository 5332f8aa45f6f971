import { constants } from "node:crypto";
import { connect, type ClientHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createServer, type Server, type TLSSocket } from "node:tls";
import { tunnelServerName } from "../identity/names.ts";
import type { Identity } from "../presence/identity.ts";
import type { Log } from "../../machine/logging/log.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { peerOn, tunnelProtocol, tunnelSettings, widen } from "./peer.ts";

export type AcceptPorts = {
  readonly identity: () => Identity | undefined;
  readonly log: Log;
  readonly now: () => UnixSeconds;
  /** A host that sends nothing for so long, not even a ping, is gone. */
  readonly longestSilenceMs?: number;
};

export type AcceptedTunnels = {
  readonly isAskedFor: (name: string) => boolean;
  readonly take: (socket: Socket) => void;
  /** Opens a stream to the sshd of the host with this Server ID. */
  readonly open: (serverId: string) => Promise<OpenedStream>;
  readonly close: () => void;
};

export type OpenedStream =
  /** The stream, and the time of the host's clock as HTTP prints it. */
  | { readonly kind: "open"; readonly stream: Duplex; readonly date: string | undefined }
  | { readonly kind: "no-tunnel" }
  | { readonly kind: "no-sshd"; readonly why: string };

const longestHandshakeMs = 10_000;
const longestOpenMs = 15_000;
/** Two missed pings and some slack: the host pings once a minute. */
const usualSilenceMs = 150_000;
/** More hosts than one proxy serves. */
const mostTunnels = 50_000;

/** The proxy's end of the tunnels. Accepts one from each host, and opens streams through it. */
export function acceptTunnels({ identity: own, log, now, longestSilenceMs = usualSilenceMs }: AcceptPorts): AcceptedTunnels {
  const sessions = new Map<string, ClientHttp2Session>();

  /** The TLS server with the current certificate. */
  let shown: { readonly serial: string; readonly server: Server } | undefined;

  function serverFor(identity: Identity): Server {
    const { serial } = identity.peer;
    if (shown?.serial === serial) return shown.server;
    const server = createServer({
      cert: identity.stored.certificate,
      key: identity.stored.privateKey,
      ca: [],
      minVersion: "TLSv1.2",
      requestCert: true,
      rejectUnauthorized: false,
      // Issues no tickets: a client that resumes a session would show no certificate.
      secureOptions: constants.SSL_OP_NO_TICKET,
      ALPNProtocols: [tunnelProtocol],
      handshakeTimeout: longestHandshakeMs,
    });
    server.on("tlsClientError", (error, socket) => refuse(error, socket));
    server.on("secureConnection", (socket) => {
      try {
        begin(socket, identity);
      } catch (thrown) {
        refuse(thrown, socket);
      }
    });
    shown = { serial, server };
    return server;
  }

  function begin(secured: TLSSocket, identity: Identity): void {
    secured.on("error", () => undefined);
    if (sessions.size >= mostTunnels) throw new Error(`there are ${mostTunnels} tunnels already`);
    const { subject } = peerOn(secured, { identity, kinds: ["node", "proxy"], now: now() });
    const session = connect("http://tunnel", { createConnection: () => secured, ...tunnelSettings });
    session.on("error", () => undefined);
    session.setTimeout(longestSilenceMs, () => session.destroy());
    // Listens for pings, because otherwise Node does not count a ping as traffic.
    session.on("ping", () => undefined);
    session.once("connect", () => widen(session));
    session.once("close", () => {
      if (sessions.get(subject.id) === session) sessions.delete(subject.id);
    });
    // Ends the earlier tunnel, which a host that dials again has lost.
    sessions.get(subject.id)?.destroy();
    sessions.set(subject.id, session);
  }

  function refuse(thrown: unknown, socket: Socket): void {
    socket.destroy();
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    log("debug", "a tunnel of a host was not taken", { why, from: socket.remoteAddress });
  }

  return {
    isAskedFor: (name) => {
      const stored = own()?.stored;
      return stored?.kind === "proxy" && name === tunnelServerName(stored.cluster.id);
    },
    take: (socket) => {
      socket.on("error", () => undefined);
      const identity = own();
      if (identity === undefined) socket.destroy();
      else serverFor(identity).emit("connection", socket);
    },
    open: async (serverId) => {
      const session = sessions.get(serverId);
      return session === undefined || session.destroyed ? { kind: "no-tunnel" } : await openOn(session);
    },
    close: () => {
      for (const session of sessions.values()) session.destroy();
    },
  };
}

function openOn(session: ClientHttp2Session): Promise<OpenedStream> {
  const stream = session.request({ ":method": "CONNECT", ":authority": "sshd" });
  return new Promise((resolve) => {
    const late = setTimeout(() => {
      stream.close();
      resolve({ kind: "no-tunnel" });
    }, longestOpenMs);
    const settle = (opened: OpenedStream): void => {
      clearTimeout(late);
      resolve(opened);
    };
    stream.once("response", ({ ":status": status, "svc-why": why = "", date }) => {
      if (status === 200) {
        settle({ kind: "open", stream, date });
        return;
      }
      settle({ kind: "no-sshd", why: String(why) });
      // Closes the proxy's end, because the host may leave its own end open.
      stream.close();
    });
    stream.on("error", () => settle({ kind: "no-tunnel" }));
    stream.once("close", () => settle({ kind: "no-tunnel" }));
  });
}
