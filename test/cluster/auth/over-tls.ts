import { createPublicKey, X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { request as httpsRequest } from "node:https";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import { allHandlers } from "../../../src/cluster/auth/all-handlers.ts";
import { answerCalls } from "../../../src/cluster/auth/calls.ts";
import { openCluster, type Authorities } from "../../../src/cluster/auth/cluster.ts";
import type { AuthContext } from "../../../src/cluster/auth/context.ts";
import { findCaller } from "../../../src/cluster/auth/gate.ts";
import { rememberPeople } from "../../../src/cluster/auth/people.ts";
import { join } from "../../../src/cluster/auth/join.ts";
import { authLimits } from "../../../src/cluster/auth/limits.ts";
import { HostNames } from "../../../src/cluster/auth/host-names.ts";
import { KnownInstances } from "../../../src/cluster/auth/known-instances.ts";
import { LastReports } from "../../../src/cluster/auth/last-reports.ts";
import { listenSecurely } from "../../../src/cluster/auth/listener.ts";
import { Meter } from "../../../src/cluster/auth/meter.ts";
import { makeRollouts } from "../../../src/cluster/auth/rollouts.ts";
import { renew } from "../../../src/cluster/auth/renew.ts";
import { routes } from "../../../src/cluster/auth/router.ts";
import { ticketKeysOf } from "../../../src/cluster/auth/ticket-keys.ts";
import { tlsOptions } from "../../../src/cluster/auth/tls-options.ts";
import { Connections } from "../../../src/machine/listening/connections.ts";
import { issue } from "../../../src/cluster/identity/authority.ts";
import { makeKeyPair } from "../../../src/cluster/identity/key.ts";
import { authServerName, type ClusterId } from "../../../src/cluster/identity/names.ts";
import { removalsBeside } from "../../../src/cluster/storage/removals.ts";
import { notingFaults } from "../../../src/cluster/storage/noting-faults.ts";
import { openSqliteStore } from "../../../src/cluster/storage/sqlite.ts";
import type { Store } from "../../../src/cluster/storage/port.ts";
import { routeFor } from "../../../src/rules/route/route.ts";
import { instance } from "../identity/made.ts";
import { configuration, loopback } from "./running.ts";

export type Answered = { readonly status: number; readonly body: unknown };
/** What a client shows: nothing, or a certificate with its key. */
export type Shows = { readonly cert: string; readonly key: string } | undefined;

export type OverTls = AsyncDisposable & {
  readonly store: Store;
  readonly context: AuthContext;
  readonly cluster: ClusterId;
  readonly port: number;
  readonly authorities: Authorities;
  readonly clock: { now: number };
  readonly call: (method: string, body: object, client?: Client) => Promise<Answered>;
};

export type Client = {
  readonly shows?: Shows;
  readonly version?: "TLSv1.2" | "TLSv1.3";
  /** To be resumed, and where a new one is put. */
  readonly session?: { kept?: Buffer };
  /** How the method answers: Connect has a way of its own for what comes in pieces. */
  readonly answers?: "once" | "in-pieces";
};

/** Auth's own handlers behind its own gate, on its own listener, by a clock that a test moves. */
export async function startOverTls(): Promise<OverTls> {
  const directory = mkdtempSync(joinPath(tmpdir(), "auth-tls-"));
  const path = joinPath(directory, "store", "cluster.db");
  const clock = { now: Math.floor(Date.now() / 1000) };
  const store = notingFaults(await openSqliteStore({ path, release: "15.4.5" }), () => clock.now);
  const { facts, authorities } = await openCluster(store, { name: "example", now: clock.now });
  const context: AuthContext = {
    store,
    removals: removalsBeside(path),
    cluster: facts,
    authorities,
    version: "15.4.5",
    times: configuration.times,
    secondFactor: "otp",
    publicHosts: [],
    people: rememberPeople(clock.now, store),
    instances: new KnownInstances(store),
    lastReports: new LastReports(),
    hostNames: new HostNames(),
    underWay: new Map(),
    ways: { routeOf: (url) => routeFor(url, {}), trust: () => undefined },
    now: () => clock.now,
    log: () => undefined,
  };
  const all = allHandlers({
    meter: new Meter(),
    cut: () => undefined,
    lookNow: () => Promise.resolve(),
    rollouts: makeRollouts().handlers,
  });
  const handlers = { ...all, JoinService: { join, renew } };
  const pair = await makeKeyPair();
  const own = await issue(authorities.signing, {
    subject: { cluster: facts.id, kind: "auth", id: instance },
    publicKey: createPublicKey(pair.publicKey),
    validity: { from: clock.now - 2 * 86_400, until: clock.now + 1000 * 86_400 },
  });
  const answer = answerCalls({
    routes: routes(context, handlers),
    limits: authLimits,
    log: context.log,
    counted: () => undefined,
  });
  const listener = await listenSecurely(
    ({ shown, ...asked }) => answer({ ...asked, findCaller: () => findCaller(shown, context) }),
    {
      at: loopback,
      tls: tlsOptions({
        own: { certificate: own.certificate, privateKey: pair.privateKey },
        authorities,
        ticketKeys: await ticketKeysOf(store, clock.now),
      }),
      limits: authLimits,
      connections: new Connections({ limits: authLimits, told: () => undefined }),
    },
  );
  const { port } = listener;
  return {
    store,
    context,
    cluster: facts.id,
    port,
    authorities,
    clock,
    call: (method, body, client = {}) => call({ port, authorities, cluster: facts.id }, { method, body }, client),
    [Symbol.asyncDispose]: async () => {
      await listener.stop();
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

type At = { readonly port: number; readonly authorities: Authorities; readonly cluster: ClusterId };

function call(
  { port, authorities, cluster }: At,
  { method, body }: { readonly method: string; readonly body: object },
  { shows, version = "TLSv1.3", session, answers = "once" }: Client,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const asking = httpsRequest(
      {
        host: "127.0.0.1",
        port,
        agent: false,
        method: "POST",
        path: `/svc.v1.${method}`,
        headers: { "content-type": answers === "once" ? "application/json" : "application/connect+json" },
        servername: authServerName(cluster),
        ca: authorities.signing.certificate,
        minVersion: version,
        maxVersion: version,
        ...(shows === undefined ? {} : shows),
        ...(session?.kept === undefined ? {} : { session: session.kept }),
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => (text += chunk));
        response.on("error", reject);
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: bodyIn(text, answers) }));
      },
    );
    asking.on("socket", (socket) => {
      socket.on("session", (given: Buffer) => {
        if (session !== undefined) session.kept = given;
      });
    });
    asking.on("error", reject);
    asking.end(answers === "once" ? JSON.stringify(body) : inEnvelope(JSON.stringify(body)));
  });
}

function inEnvelope(text: string): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(Buffer.byteLength(text), 1);
  return Buffer.concat([head, Buffer.from(text)]);
}

/** Of what comes in pieces the last one, which says what became of the call. */
function bodyIn(text: string, answers: "once" | "in-pieces"): unknown {
  if (answers === "once") return JSON.parse(text);
  return (JSON.parse(text.slice(text.indexOf("{"))) as { readonly error: unknown }).error;
}

export function serialOf(certificate: string): string {
  return new X509Certificate(certificate).serialNumber.toLowerCase();
}
