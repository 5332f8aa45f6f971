import { createHash, createPublicKey, randomBytes, X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import type { Agent } from "node:https";
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
import { instanceHandlers } from "../../../src/cluster/auth/instances.ts";
import { KnownInstances } from "../../../src/cluster/auth/known-instances.ts";
import { LastReports } from "../../../src/cluster/auth/last-reports.ts";
import { listenSecurely } from "../../../src/cluster/auth/listener.ts";
import { Meter } from "../../../src/cluster/auth/meter.ts";
import { makeRollouts } from "../../../src/cluster/auth/rollouts.ts";
import { renew } from "../../../src/cluster/auth/renew.ts";
import { routes } from "../../../src/cluster/auth/router.ts";
import { ticketKeysOf } from "../../../src/cluster/auth/ticket-keys.ts";
import { tlsOptions } from "../../../src/cluster/auth/tls-options.ts";
import { tokenHandlers } from "../../../src/cluster/auth/tokens.ts";
import { Connections } from "../../../src/machine/listening/connections.ts";
import { issue } from "../../../src/cluster/identity/authority.ts";
import { makeKeyPair } from "../../../src/cluster/identity/key.ts";
import { authServerName, type ClusterId, type InstanceKind } from "../../../src/cluster/identity/names.ts";
import { removalsBeside } from "../../../src/cluster/storage/removals.ts";
import { notingFaults } from "../../../src/cluster/storage/noting-faults.ts";
import { openSqliteStore } from "../../../src/cluster/storage/sqlite.ts";
import type { Store } from "../../../src/cluster/storage/port.ts";
import { routeFor } from "../../../src/rules/route/route.ts";
import { instance } from "../identity/made.ts";
import { call, type Answered, type Trusting } from "./hosts.ts";
import { configuration, loopback } from "./running.ts";

/** What a client shows: nothing, or a certificate with its key. */
export type Shows = Pick<Trusting, "cert" | "key">;

export type OverTls = AsyncDisposable & {
  readonly store: Store;
  readonly context: AuthContext;
  readonly cluster: ClusterId;
  readonly port: number;
  readonly authorities: Authorities;
  readonly clock: { now: number };
  readonly call: (method: string, body: object, shows?: Shows, agent?: Agent) => Promise<Answered>;
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
  const stranger = { host: "127.0.0.1", port, servername: authServerName(facts.id), ca: authorities.signing.certificate };
  return {
    store,
    context,
    cluster: facts.id,
    port,
    authorities,
    clock,
    call: (method, body, shows = {}, agent) =>
      call({ ...stranger, ...shows }, method, body, agent === undefined ? {} : { agent }),
    [Symbol.asyncDispose]: async () => {
      await listener.stop();
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export function serialOf(certificate: string): string {
  return new X509Certificate(certificate).serialNumber.toLowerCase();
}

const root = { kind: "root", host: "auth1" } as const;

type Uses = { readonly type?: InstanceKind; readonly uses?: number; readonly ttlSeconds?: number };

/** As `tctl tokens add` makes one: only its digest is told. */
export async function makeToken(
  { context }: Pick<OverTls, "context">,
  { type = "proxy", uses = 1, ttlSeconds = 3600 }: Uses = {},
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const digest = createHash("sha256").update(token).digest("hex");
  const asked = { digest, type, ttlSeconds: BigInt(ttlSeconds), uses, labels: { env: "canary" }, ephemeral: false };
  await tokenHandlers.createToken(context, root, asked as never);
  return token;
}

export async function removeInstance({ context }: Pick<OverTls, "context">, id: string): Promise<void> {
  await instanceHandlers.removeInstance(context, root, { id } as never);
}

/** The names of those that have joined as this kind. */
export async function hostnamesOf({ context }: Pick<OverTls, "context">, kind: InstanceKind): Promise<readonly string[]> {
  const asked = { kind, withRemoved: false, pageSize: 0, pageToken: "" } as never;
  const { instances = [] } = await instanceHandlers.listInstances(context, root, asked);
  return instances.map(({ hostname }) => hostname ?? "").toSorted();
}
