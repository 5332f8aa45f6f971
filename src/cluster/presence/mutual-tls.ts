import type { Socket } from "node:net";
import {
  connect as connectTls,
  createSecureContext,
  type DetailedPeerCertificate,
  type SecureContext,
  type TLSSocket,
} from "node:tls";
import { postOver } from "../api/post-over.ts";
import type { Posted, PostAnswer, Transport } from "../api/transport.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { authServerName, firstContactName } from "../identity/names.ts";
import type { Peer } from "../identity/peer.ts";
import { chainOf } from "../../machine/network/certificate.ts";
import { longestHeaderBytes } from "../../machine/network/exchange.ts";
import { openConnection, urlOf, type Opening } from "../../machine/network/open-connection.ts";
import { longestConnectMs } from "../../machine/network/request.ts";
import { shakeHands } from "../../machine/network/shake-hands.ts";
import type { Route } from "../../rules/route/route.ts";
import { printHostPort, type HostPort } from "../../rules/route/host-port.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { explainAsking, explainConnecting, noneReached, type Missed } from "./explain-connecting.ts";
import { judgeAuth, judgeTime, type Known } from "./judge-auth.ts";

/** How this host reaches auth. */
export type Ways = Pick<Opening, "trust" | "lookup"> & { readonly routeOf: (url: URL) => Route };

export type Asked = {
  /** The addresses of auth, to try in order. */
  readonly addresses: readonly HostPort[];
  readonly known: Known;
  /** This host's certificate; undefined if it has not joined. */
  readonly shows: { readonly certificate: string; readonly privateKey: string } | undefined;
  readonly ways: Ways;
  readonly now: () => UnixSeconds;
};

export type MutualTls = Transport & {
  /** Connects, and checks that the server is auth. Sends nothing. */
  readonly meet: (signal: AbortSignal) => Promise<Peer>;
};

/** The time for all addresses together, with their handshakes. A call may take longer. */
const allMs = 24_000;

/** A TLS session, with the peer of its first handshake, because a resumed session does not show a certificate again. */
type Session = { readonly ticket: Buffer; readonly peer: Peer };
type Met = { readonly socket: TLSSocket; readonly peer: Peer };

/** Calls auth in JSON over HTTP/1.1 by mutual TLS. Checks the server before the first byte is sent. */
export function overMutualTls(asked: Asked): MutualTls {
  const { addresses, shows } = asked;
  const whom = `auth at ${addresses.map(printHostPort).join(", ")}`;
  // Trusts no authority here, because our own rules decide. The system's store, which node would load, knows nothing about a cluster.
  const context = createSecureContext({
    ca: [],
    minVersion: "TLSv1.2",
    ...(shows === undefined ? {} : { cert: shows.certificate, key: shows.privateKey }),
  });
  const sessions = new Map<string, Session>();
  const open = (signal: AbortSignal): Promise<Met> => openAny({ asked, context, sessions }, signal);
  return {
    whom,
    post: async (posted) => post(await open(posted.signal), posted),
    explain: (thrown) => explainAsking(thrown, whom),
    meet: async (signal) => {
      const { socket, peer } = await open(signal);
      socket.destroy();
      return peer;
    },
  };
}

type Using = { readonly asked: Asked; readonly context: SecureContext; readonly sessions: Map<string, Session> };

async function openAny(using: Using, signal: AbortSignal): Promise<Met> {
  const { addresses } = using.asked;
  const wholeMs = Math.min(2 * longestConnectMs, Math.floor(allMs / addresses.length));
  const missed: Missed[] = [];
  for (const address of addresses) {
    signal.throwIfAborted();
    try {
      return await openOne(address, { using, wholeMs, signal });
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      missed.push({ address, fault: thrown });
    }
  }
  throw noneReached(missed);
}

type OpeningOne = { readonly using: Using; readonly wholeMs: number; readonly signal: AbortSignal };

async function openOne(address: HostPort, { using, wholeMs, signal }: OpeningOne): Promise<Met> {
  const { ways } = using.asked;
  const route = ways.routeOf(urlOf(address));
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(wholeMs)]);
  // Leaves half of the time for the handshake, so that the fault can say where it stopped.
  const connectMs = wholeMs / 2;
  let socket: Socket | undefined;
  try {
    socket = await openConnection(address, { route, trust: ways.trust, lookup: ways.lookup, connectMs, signal });
    return await secure(socket, { address, using, signal: deadline });
  } catch (thrown) {
    socket?.destroy();
    signal.throwIfAborted();
    throw explainConnecting(thrown, { address, route });
  }
}

type Securing = { readonly address: HostPort; readonly using: Using; readonly signal: AbortSignal };

async function secure(socket: Socket, { address, using, signal }: Securing): Promise<Met> {
  const { asked, context, sessions } = using;
  const name = printHostPort(address);
  const kept = sessions.get(name);
  let ticket: Buffer | undefined;
  let peer: Peer | undefined;
  const keep = (): void => {
    if (ticket !== undefined && peer !== undefined) sessions.set(name, { ticket, peer });
  };
  const secured = connectTls({
    socket,
    secureContext: context,
    servername: asked.known.kind === "joined" ? authServerName(asked.known.cluster) : firstContactName,
    rejectUnauthorized: false,
    ...(kept === undefined ? {} : { session: kept.ticket }),
  });
  secured.on("session", (given: Buffer) => {
    ticket = given;
    keep();
  });
  try {
    await shakeHands(secured, signal);
    const shown = { whom: `auth at ${name}`, certificate: secured.getPeerCertificate(true) };
    peer = peerIn(shown, { resumed: secured.isSessionReused() ? kept?.peer : undefined, asked });
    keep();
    return { socket: secured, peer };
  } catch (thrown) {
    sessions.delete(name);
    throw thrown;
  }
}

type Shown = { readonly whom: string; readonly certificate: DetailedPeerCertificate };

function peerIn(
  { whom, certificate }: Shown,
  { resumed, asked }: { readonly resumed: Peer | undefined; readonly asked: Asked },
): Peer {
  const now = asked.now();
  if (resumed === undefined) return judgeAuth({ whom, chain: chainOf(certificate) }, asked.known, now);
  judgeTime(whom, resumed, now);
  return resumed;
}

function post({ socket, peer }: Met, posted: Posted): Promise<PostAnswer> {
  return postOver({ socket, host: authServerName(peer.subject.cluster), longestHeaderBytes }, posted);
}
