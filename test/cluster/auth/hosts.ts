import { once } from "node:events";
import { createHash, createPublicKey, randomBytes, randomUUID, X509Certificate } from "node:crypto";
import { connect as connectSession, type ClientHttp2Session } from "node:http2";
import { request as httpsRequest, type Agent } from "node:https";
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from "node:tls";
import { expect } from "vitest";
import { openCluster } from "../../../src/cluster/auth/cluster.ts";
import { issue, type Authority } from "../../../src/cluster/identity/authority.ts";
import { makeKeyPair, type KeyPair } from "../../../src/cluster/identity/key.ts";
import { authServerName, type ClusterId, type InstanceId, type InstanceKind } from "../../../src/cluster/identity/names.ts";
import { makeRequest } from "../../../src/cluster/identity/request.ts";
import { authorityOf } from "../identity/made.ts";
import { answerTo } from "./ask.ts";
import { startRunning, type Changes, type Running } from "./running.ts";

/** What whoever connects knows and shows. */
export type Trusting = {
  readonly host: string;
  readonly port: number;
  readonly servername: string;
  readonly ca: string;
  readonly cert?: string;
  readonly key?: string;
  /** Where it comes from. */
  readonly localAddress?: string;
  /** What it resumes. */
  readonly session?: Buffer;
};

export type Host = {
  readonly id: InstanceId;
  readonly trusting: Trusting;
  readonly pair: KeyPair;
  /** Of its certificate, in Unix time. */
  readonly until: number;
};

/** An auth service that hosts can join, wherever it runs. */
export type Joinable = {
  readonly cluster: ClusterId;
  /** Of whoever shows nothing. */
  readonly stranger: Trusting;
  readonly join: (kind: InstanceKind) => Promise<Host>;
  readonly tokenFor: (kind: InstanceKind) => Promise<string>;
};

export type WithHosts = Running & Joinable & { readonly authority: Authority; readonly clock: { ahead: number } };

/** Auth as it runs, by the clock of this machine, and hosts that have joined it over its own port. */
export async function startWithHosts(changes: Changes = {}): Promise<WithHosts> {
  const clock = { ahead: 0 };
  const now = (): number => Math.floor(Date.now() / 1000) + clock.ahead;
  const running = await startRunning({ now, ...changes });
  const { facts, authorities } = await openCluster(running.store, { name: "example", now: now() });
  const { port } = running.auth;
  const joinable = joinableAt({ cluster: facts.id, ca: authorities.signing.certificate, port, ask: running.ask });
  return { ...running, ...joinable, authority: authorities.signing, clock };
}

type At = {
  readonly cluster: ClusterId;
  readonly ca: string;
  readonly port: number;
  /** At root's socket. */
  readonly ask: Running["ask"];
};

export function joinableAt({ cluster, ca, port, ask }: At): Joinable {
  const stranger = { host: "127.0.0.1", port, servername: authServerName(cluster), ca };
  const tokenFor = async (kind: InstanceKind): Promise<string> => {
    const token = randomBytes(32).toString("base64url");
    const digest = createHash("sha256").update(token).digest("hex");
    await ask("TokenService/CreateToken", { digest, type: kind, ttlSeconds: "3600" });
    return token;
  };
  return {
    cluster,
    stranger,
    tokenFor,
    join: async (kind) => {
      const pair = await makeKeyPair();
      const certificateRequest = makeRequest(pair.privateKey);
      const body = { token: await tokenFor(kind), certificateRequest, hostname: `${kind}1`, services: [kind], version: "15.4.5" };
      const joined = await call(stranger, "JoinService/Join", body);
      expect(joined.status).toBe(200);
      const { instanceId, certificate } = (joined.body as { identity: { instanceId: InstanceId; certificate: string } }).identity;
      const until = new X509Certificate(certificate).validToDate.getTime() / 1000;
      return { id: instanceId, pair, until, trusting: { ...stranger, cert: certificate, key: pair.privateKey } };
    },
  };
}

/** Other words in a certificate than those of an instance that exists and of this day. */
export type Words = { readonly id?: InstanceId; readonly isExpired?: true };

/** A certificate that says all that it should, of an authority that calls itself by the cluster's name. */
export async function forgedFor(joinable: Joinable, kind: InstanceKind, words: Words = {}): Promise<Trusting> {
  return certified(joinable, kind, { authority: await authorityOf(joinable.cluster), ...words });
}

/** A certificate that the authority has signed, whatever auth thinks of what it says. */
export async function certified(
  { cluster, stranger }: Joinable,
  kind: InstanceKind,
  { authority, id = randomUUID() as InstanceId, isExpired }: Words & { readonly authority: Authority },
): Promise<Trusting> {
  const pair = await makeKeyPair();
  const at = Math.floor(Date.now() / 1000) - (isExpired === true ? 2 * 86_400 : 0);
  const { certificate } = await issue(authority, {
    subject: { cluster, kind, id },
    publicKey: createPublicKey(pair.publicKey),
    validity: { from: at - 60, until: at + 86_400 },
  });
  return { ...stranger, cert: certificate, key: pair.privateKey };
}

/** What it resumes from now on, whatever becomes of it. */
export async function withSession(trusting: Trusting): Promise<Trusting> {
  const socket = await shakeHands(trusting, { ALPNProtocols: ["http/1.1"] });
  const [kept] = (await once(socket, "session")) as [Buffer];
  socket.destroy();
  return { ...trusting, session: kept };
}

export type Answered = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: unknown;
};

type Calling = { readonly agent?: Agent | false; readonly headers?: Readonly<Record<string, string>> };

/** JSON over HTTP/1.1, as hosts speak it: on a connection of its own unless an agent keeps some. */
export function call(trusting: Trusting, method: string, body: object, calling: Calling = {}): Promise<Answered> {
  return callRaw(trusting, method, { ...calling, body: JSON.stringify(body) });
}

export async function callRaw(
  trusting: Trusting,
  method: string,
  { body, agent = false, headers }: Calling & { readonly body: string },
): Promise<Answered> {
  const asking = httpsRequest({
    ...trusting,
    agent,
    method: "POST",
    path: `/svc.v1.${method}`,
    headers: { "content-type": "application/json", ...headers },
  });
  const { text, ...answer } = await answerTo(asking, body);
  return { ...answer, body: text === "" ? {} : JSON.parse(text) };
}

export function session(trusting: Trusting, options: object = {}): ClientHttp2Session {
  const opened = connectSession(`https://127.0.0.1:${trusting.port}`, { ...trusting, ...options });
  opened.on("error", () => undefined);
  return opened;
}

/** JSON over a session of HTTP/2. */
export function callIn(opened: ClientHttp2Session, method: string, body: object): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const stream = opened.request({ ":method": "POST", ":path": `/svc.v1.${method}`, "content-type": "application/json" });
    let status = 0;
    let headers = {};
    let text = "";
    stream.setEncoding("utf8");
    stream.on("response", (told) => {
      status = told[":status"] ?? 0;
      headers = told;
    });
    stream.on("data", (chunk: string) => (text += chunk));
    stream.on("error", reject);
    stream.on("close", () => {
      if (status === 0) reject(new Error(`the stream ended unanswered: ${stream.rstCode}`));
      else resolve({ status, headers, body: text === "" ? {} : JSON.parse(text) });
    });
    stream.end(JSON.stringify(body));
  });
}

/** After the handshake. */
export function shakeHands(trusting: Trusting, options: ConnectionOptions = {}): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ ...trusting, ...options }, () => resolve(socket));
    socket.on("error", reject);
  });
}

export const status = "ClusterService/GetStatus";
