import type { LookupFunction } from "node:net";
import { request } from "node:http";
import { Duplex } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { TLSSocket } from "node:tls";
import { postOver } from "../api/post-over.ts";
import { refusalIn } from "../api/refusal.ts";
import { isRefusedAs, readWhole } from "../api/refused-as.ts";
import type { Posted, PostAnswer, Transport } from "../api/transport.ts";
import type { ClusterId } from "../identity/names.ts";
import { makeProof } from "../identity/proof.ts";
import { longestHeaderBytes } from "../../machine/network/exchange.ts";
import { noteShown, type SeenOnWay } from "../../machine/network/hop.ts";
import { openConnection, urlOf } from "../../machine/network/open-connection.ts";
import { longestConnectMs } from "../../machine/network/request.ts";
import { beginTls, shakeHands } from "../../machine/network/shake-hands.ts";
import type { Trust } from "../../machine/network/trust.ts";
import type { Route } from "../../rules/route/route.ts";
import type { HostPort } from "../../rules/route/host-port.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { explainProxy, notThisCluster } from "./explain.ts";
import { printProxyAddress } from "./proxy-address.ts";
import type { Typed } from "./trust.ts";

/** How to prove a call. Without a token, the call belongs to no session. */
export type Proving = { readonly cluster: ClusterId; readonly privateKey: string; readonly token: string | undefined };

export type Asking = {
  readonly proxy: HostPort;
  readonly trust: () => Trust;
  readonly typed: Typed;
  readonly routeOf: (url: URL) => Route;
  /** Undefined for calls that need no proof. */
  readonly proving: Proving | undefined;
  readonly now: () => UnixSeconds;
  /** How far auth's clock is ahead of ours, if that is known. */
  readonly clockAheadSeconds: number;
  readonly lookup?: LookupFunction | undefined;
};

/** Auth refuses no call for a smaller difference. */
const noticeableSeconds = 15;

export type OverProxy = Transport & {
  /** Proves the call, and makes a stream of the connection. Throws auth's refusal. */
  readonly upgrade: (posted: Posted, protocol: string) => Promise<Duplex>;
};

/** Calls in JSON over HTTP/1.1 by TLS to a proxy's public address. The proxy passes each call on to auth, and each is proven by itself. */
export function overProxy(asking: Asking): OverProxy {
  const { proxy, typed } = asking;
  const whom = `the proxy ${printProxyAddress(proxy)}`;
  let ahead = asking.clockAheadSeconds;
  const shown: Shown = { certificate: undefined, protocol: undefined, route: undefined };
  return {
    whom,
    explain: (thrown) => explainProxy(thrown, { proxy, typed, whom, ...shown, stores: () => asking.trust().stores }),
    post: async (posted) => {
      const first = await postOnce(posted, { asking, ahead, shown });
      if (first.status === 200) return first;
      const refused = await readWhole(first);
      if (!refused.contentType.startsWith("application/json")) throw notThisCluster(whom, refused.status);
      const corrected = await clockBy(refused, { now: asking.now(), ahead, asking });
      if (corrected === undefined) return refused;
      ahead = corrected;
      return await postOnce(posted, { asking, ahead, shown });
    },
    upgrade: async (posted, protocol) => {
      const first = await upgradeOnce(posted, { protocol, asking, ahead, shown });
      if (first instanceof Duplex) return first;
      const corrected = await clockBy(first, { now: asking.now(), ahead, asking });
      ahead = corrected ?? ahead;
      const second = corrected === undefined ? first : await upgradeOnce(posted, { protocol, asking, ahead, shown });
      if (second instanceof Duplex) return second;
      throw await refusalIn(second, (await buffer(second.body)).toString(), { whom });
    },
  };
}

type Refused = { readonly now: UnixSeconds; readonly ahead: number; readonly asking: Asking };

/** Auth's time, if its refusal blames our clock. */
async function clockBy(refused: PostAnswer, { now, ahead, asking }: Refused): Promise<number | undefined> {
  const { date } = refused;
  if (asking.proving === undefined || date === undefined || !(await isRefusedAs(refused, "proof-refused"))) return undefined;
  const there = Math.floor(Date.parse(date) / 1000);
  const found = there - now;
  return Number.isSafeInteger(found) && Math.abs(found - ahead) >= noticeableSeconds ? found : undefined;
}

type Shown = Pick<SeenOnWay, "certificate" | "protocol"> & { route: Route | undefined };
type Trying = { readonly asking: Asking; readonly ahead: number; readonly shown: Shown };

async function postOnce(posted: Posted, { asking, ahead, shown }: Trying): Promise<PostAnswer> {
  const headers = await proofOf(posted, asking.proving, asking.now() + ahead);
  const socket = await connect(asking, shown, posted.signal);
  return postOver({ socket, host: urlOf(asking.proxy).host, longestHeaderBytes }, { ...posted, headers });
}

/** A stream, or a refusal's answer, which was read to its end. */
async function upgradeOnce(
  posted: Posted,
  { protocol, asking, ahead, shown }: Trying & { readonly protocol: string },
): Promise<Duplex | PostAnswer> {
  const proof = await proofOf(posted, asking.proving, asking.now() + ahead);
  const socket = await connect(asking, shown, posted.signal);
  const call = Buffer.from(posted.body).toString("base64url");
  const headers = { ...proof, connection: "Upgrade", upgrade: protocol, "svc-call": call, host: urlOf(asking.proxy).host };
  const asked = request({ method: "GET", path: posted.path, headers, createConnection: () => socket, signal: posted.signal });
  asked.end();
  return await new Promise((resolve, reject) => {
    asked.once("error", reject);
    asked.once("upgrade", (_answer, stream: Duplex, head: Buffer) => {
      if (head.length > 0) stream.unshift(head);
      resolve(stream);
    });
    asked.once("response", (answer) => {
      const { statusCode: status = 0, headers: told } = answer;
      const contentType = told["content-type"] ?? "";
      const read = readWhole({ status, contentType, retryAfter: told["retry-after"], date: told.date, body: answer });
      read.then(resolve, reject);
    });
  });
}

async function proofOf(
  { path, body }: Posted,
  proving: Proving | undefined,
  now: UnixSeconds,
): Promise<Readonly<Record<string, string>>> {
  if (proving === undefined) return {};
  const { cluster, privateKey, token } = proving;
  const dpop = await makeProof(privateKey, { cluster, path, body, token, now });
  return token === undefined ? { dpop } : { dpop, authorization: `DPoP ${token}` };
}

async function connect({ proxy, routeOf, trust, lookup }: Asking, shown: Shown, signal: AbortSignal): Promise<TLSSocket> {
  const route = (shown.route = routeOf(urlOf(proxy)));
  const trusted = trust();
  const socket = await openConnection(proxy, { route, trust, connectMs: longestConnectMs, signal, lookup });
  // Ends a handshake that takes too long: a server that only accepts the connection is no proxy of a cluster.
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(longestConnectMs)]);
  const secured = beginTls(socket, proxy.host, trusted);
  noteShown(secured, shown);
  return await shakeHands(secured, deadline);
}
