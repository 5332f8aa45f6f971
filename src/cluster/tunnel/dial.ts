import { performServerHandshake, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import { connect } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { tunnelServerName } from "../identity/names.ts";
import { explainConnecting } from "../presence/explain-connecting.ts";
import type { Identity } from "../presence/identity.ts";
import type { Ways } from "../presence/mutual-tls.ts";
import { Fault } from "../../rules/fault/fault.ts";
import type { Log } from "../../machine/logging/log.ts";
import { monotonicMs } from "../../machine/clocks/monotonic.ts";
import { openConnection, urlOf } from "../../machine/network/open-connection.ts";
import { longestConnectMs } from "../../machine/network/request.ts";
import { shakeHands } from "../../machine/network/shake-hands.ts";
import { printHostPort, type HostPort } from "../../rules/route/host-port.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { contextOf, peerOn, tunnelProtocol, tunnelSettings, widen } from "./peer.ts";
import { splice } from "./splice.ts";

export type TunnelPorts = {
  readonly identity: () => Identity | undefined;
  readonly ways: Ways;
  /** This host's own sshd. */
  readonly sshd: HostPort;
  readonly log: Log;
  readonly now: () => UnixSeconds;
  /** A random number from 0 to below 1. */
  readonly random: () => number;
  readonly wait: (seconds: number, signal: AbortSignal) => Promise<void>;
  readonly stopping: AbortSignal;
  readonly pingEveryMs?: number;
};

export type Tunnels = {
  /** Keeps a tunnel to each of these proxies, and closes all other tunnels. */
  readonly keep: (proxies: readonly HostPort[]) => void;
};

/** Hosts wait for random times up to these, so that they do not all dial a restarted proxy at once: each handshake costs the proxy milliseconds. */
const firstWaitSeconds = 15;
const longestWaitSeconds = 60;
const usualPingMs = 60_000;
/** A tunnel that ends sooner counts as failed: copies of a host take the tunnel from each other every few seconds. */
const steadyMs = 60_000;
const unsteadyAfter = 3;
const longestPingMs = 20_000;

/** Dials the cluster's proxies, so that people can reach this host's sshd without an open port. */
export function keepTunnels(ports: TunnelPorts): Tunnels {
  const kept = new Map<string, AbortController>();
  ports.stopping.addEventListener("abort", () => {
    for (const ending of kept.values()) ending.abort();
  });
  return {
    keep: (proxies) => {
      // Closes the tunnels of the host's earlier instance. After it joined again, people reach it by its new id only.
      const instance = ports.identity()?.stored.instance ?? "";
      const wanted = new Map(proxies.map((proxy) => [`${instance} ${printHostPort(proxy)}`, proxy]));
      for (const [name, ending] of kept) {
        if (wanted.has(name)) continue;
        ending.abort();
        kept.delete(name);
      }
      for (const [name, proxy] of wanted) {
        if (kept.has(name) || ports.stopping.aborted) continue;
        const ending = new AbortController();
        kept.set(name, ending);
        void keepOne(proxy, ports, ending.signal);
      }
    },
  };
}

/** Keeps a tunnel to one proxy, and dials again when it ends. Never rejects. */
async function keepOne(proxy: HostPort, ports: TunnelPorts, ending: AbortSignal): Promise<void> {
  const { log, wait, random } = ports;
  let failures = 0;
  let said: string | undefined;
  while (!ending.aborted) {
    try {
      const tunnel = await dial(proxy, ports, ending);
      log("info", "the tunnel to a proxy is open: people with a role for it reach this host's sshd", {
        proxy: printHostPort(proxy),
      });
      said = undefined;
      const openedMs = monotonicMs();
      await ended(tunnel, ending, ports.pingEveryMs);
      if (ending.aborted) return;
      failures = monotonicMs() - openedMs < steadyMs ? failures + 1 : 0;
      const isUnsteady = failures >= unsteadyAfter;
      const copies = isUnsteady ? "; if a copy of this host has the same identity: `svc join --replace` there" : "";
      log(isUnsteady ? "warning" : "info", `the tunnel to a proxy broke and is dialled again${copies}`, {
        proxy: printHostPort(proxy),
      });
    } catch (thrown) {
      if (ending.aborted) return;
      failures += 1;
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      log(why === said ? "debug" : "warning", `the tunnel to a proxy could not be opened: ${why}`, {
        proxy: printHostPort(proxy),
      });
      said = why;
    }
    const longest = Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** Math.min(failures, 10));
    await wait(longest - random() * (longest - 1), ending);
  }
}

type Tunnel = { readonly session: ServerHttp2Session; readonly secured: TLSSocket };

/** Dials the proxy, and then takes the role of an HTTP/2 server, because the proxy opens the streams. */
async function dial(proxy: HostPort, { identity: own, ways, sshd, now }: TunnelPorts, ending: AbortSignal): Promise<Tunnel> {
  const identity = own();
  if (identity === undefined) throw new Error("this host has not joined");
  const route = ways.routeOf(urlOf(proxy));
  const signal = AbortSignal.any([ending, AbortSignal.timeout(2 * longestConnectMs)]);
  const socket = await openConnection(proxy, { ...ways, route, connectMs: longestConnectMs, signal }).catch((thrown: unknown) => {
    throw thrown instanceof Fault ? thrown : explainConnecting(thrown, { address: proxy, route });
  });
  const secured = connectTls({
    socket,
    secureContext: contextOf(identity),
    servername: tunnelServerName(identity.stored.cluster.id),
    rejectUnauthorized: false,
    ALPNProtocols: [tunnelProtocol],
  });
  try {
    await shakeHands(secured, signal);
    peerOn(secured, { identity, kinds: ["proxy"], now: now() });
  } catch (thrown) {
    secured.destroy();
    throw new Error(`${printHostPort(proxy)} does not answer as a proxy of this cluster: ${(thrown as Error).message}`, {
      cause: thrown,
    });
  }
  const session = performServerHandshake(secured, tunnelSettings);
  session.on("error", () => undefined);
  session.on("stream", (stream, headers) => {
    if (headers[":method"] === "CONNECT") reachSshd(stream, sshd);
    else stream.close();
  });
  session.once("connect", () => widen(session));
  return { session, secured };
}

function reachSshd(stream: ServerHttp2Stream, { host, port }: HostPort): void {
  stream.on("error", () => undefined);
  const socket = connect({ host, port });
  const refuse = (error: Error & { readonly code?: string }): void => {
    if (stream.destroyed || stream.headersSent) return;
    stream.respond({ ":status": 502, "svc-why": error.code ?? "" }, { endStream: true });
  };
  socket.once("error", refuse);
  socket.once("connect", () => {
    socket.off("error", refuse);
    if (stream.destroyed) {
      socket.destroy();
      return;
    }
    stream.respond({ ":status": 200 });
    splice(stream, socket);
  });
}

/** Resolves when the session is closed. Closes it if a ping is not answered. */
async function ended({ session, secured }: Tunnel, ending: AbortSignal, pingEveryMs = usualPingMs): Promise<void> {
  const over = Promise.withResolvers<undefined>();
  session.once("close", () => over.resolve(undefined));
  const stop = (): void => {
    session.destroy();
    secured.destroy();
  };
  ending.addEventListener("abort", stop, { once: true });
  if (ending.aborted) stop();
  const timer = setInterval(() => {
    // After the proxy's GOAWAY, Node waits for the proxy to close the connection, and sends no pings.
    if (session.destroyed) {
      stop();
      return;
    }
    const late = setTimeout(stop, longestPingMs);
    const isSent = session.ping(() => clearTimeout(late));
    if (!isSent) clearTimeout(late);
  }, pingEveryMs);
  await over.promise;
  clearInterval(timer);
  ending.removeEventListener("abort", stop);
}
