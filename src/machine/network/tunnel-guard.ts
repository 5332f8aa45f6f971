import diagnostics from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import { connect as connectPlainly, type Socket, type TcpNetConnectOpts } from "node:net";
import { Fault } from "../../rules/fault/fault.ts";
import type { Route } from "../../rules/route/route.ts";
import { environmentFileOf } from "./what-to-type.ts";

/** The member of proxy-agent's family that speaks CONNECT, as far as it is touched here. */
export type Tunnel<Options> = {
  connect: (request: ClientRequest, options: Options) => Promise<Socket>;
  readonly proxy: URL;
  connectOpts: TcpNetConnectOpts & { socket?: Socket };
};

/** Far above what any proxy says to CONNECT, a page that explains its refusal included. */
const longestAnswerBytes = 16 * 1024;
/** A handshake is mostly certificates: three of 4 KiB are many. */
const longestHandshakeBytes = 48 * 1024;
/** Often enough that a flood costs a few megabytes, and seldom enough to cost nothing. */
const lookEveryMs = 10;

/**
 * The tunnel collects the answer to CONNECT until its headers end, without any limit: a proxy that never ends them would fill
 * the memory. Here the connection is watched until the tunnel stands.
 */
export function guardTunnel<Options>(tunnel: Tunnel<Options>, proxyName: string, route: Pick<Route, "setIn">): void {
  const open = tunnel.connect.bind(tunnel);
  const isTls = tunnel.proxy.protocol === "https:";
  const most = isTls ? longestAnswerBytes + longestHandshakeBytes : longestAnswerBytes;
  tunnel.connect = async (request, options) => {
    // Of a TLS connection nobody is told whose plain one it runs over, so that is made first, and given to it.
    const own = isTls ? await connected(connectPlainly(tunnel.connectOpts)) : undefined;
    if (own !== undefined) tunnel.connectOpts = { ...tunnel.connectOpts, socket: own };
    const { result, sockets } = watchingSockets(() => open(request, options));
    const watched = own === undefined ? sockets : [own];
    const timer = setInterval(() => {
      if (watched.every((socket) => socket.bytesRead <= most)) return;
      clearInterval(timer);
      const fault = endless(proxyName, route);
      request.destroy(fault);
      for (const socket of watched) socket.destroy(fault);
    }, lookEveryMs);
    return result.finally(() => clearInterval(timer));
  };
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

/** Node may try several addresses of a name, and only what has settled for one can carry TLS. */
function connected(socket: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // Stays: once TLS runs over it, what goes wrong is told by that.
    socket.on("error", reject);
    socket.once("connect", () => resolve(socket));
  });
}

function endless(proxyName: string, route: Pick<Route, "setIn">): Fault {
  return new Fault("proxy-refused", {
    message: `what answers at the proxy's address ${proxyName} does not come to the end of its answer to CONNECT: more than ${longestAnswerBytes / 1024} KiB of headers`,
    hint: `check that it is an HTTP CONNECT proxy, and look at its log; the proxy is set in ${environmentFileOf(route)}`,
  });
}
