import { createServer, type Server } from "node:http";
import { routeFor } from "../../rules/route/route.ts";
import type { Log } from "../../machine/logging/log.ts";
import { Connections } from "../../machine/listening/connections.ts";
import { jsonPage, type Page } from "../../machine/listening/pages.ts";
import { tellShed } from "../../machine/listening/tell-shed.ts";
import { loadTrust } from "../../machine/network/trust.ts";
import type { InstanceKind } from "../identity/names.ts";
import type { Pin } from "../identity/pin.ts";
import type { AuthConfiguration } from "../services/services.ts";
import { notingFaults, type NotedStore } from "../storage/noting-faults.ts";
import type { Store } from "../storage/port.ts";
import type { Removals } from "../storage/removals.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { allHandlers } from "./all-handlers.ts";
import { answerCalls } from "./calls.ts";
import { openCluster, type Authorities } from "./cluster.ts";
import type { AuthContext } from "./context.ts";
import { listenForDiagnostics } from "./diagnostics.ts";
import { heedOthers, lookAtOthersMs } from "./other-auths.ts";
import { every } from "./repeat-every.ts";
import { exposition, type Live } from "./exposition.ts";
import { rememberFigures, type Figures } from "./figures.ts";
import { findCaller } from "./gate.ts";
import { authLimits, type AuthLimits } from "./limits.ts";
import { HostNames } from "./host-names.ts";
import { KnownInstances } from "./known-instances.ts";
import { LastReports } from "./last-reports.ts";
import { listenSecurely, type Listener } from "./listener.ts";
import { Meter } from "./meter.ts";
import { makeOwnToken } from "./tokens.ts";
import type { RolloutFigures } from "./rollout-figures.ts";
import { makeRollouts } from "./rollouts.ts";
import { rememberPeople } from "./people.ts";
import type { Ways } from "./provider-fetch.ts";
import { refuseWhatNeedsARestart } from "./reload.ts";
import { listenForRoot, rootSocketPath } from "./root-socket.ts";
import { routes } from "./router.ts";
import { tlsOptions } from "./tls-options.ts";
import {
  firstShown,
  forgetOldEvents,
  forgetPassing,
  forgetShells,
  lookAgain,
  noteReportsTaken,
  writeRemembered,
  type Shown,
} from "./upkeep.ts";

export type AuthPorts = {
  readonly configuration: AuthConfiguration;
  readonly dataDirectory: string;
  readonly store: Store;
  /** Removals are kept outside the store. */
  readonly removals: Removals;
  readonly log: Log;
  readonly now: () => UnixSeconds;
  readonly version: string;
  /** This host's name, for the audit. */
  readonly hostname: string;
  /** How auth reaches identity providers. By default directly, with the system's trust. */
  readonly ways?: Ways;
  /** Tests set lower ones. */
  readonly limits?: AuthLimits;
};

const directly: Ways = { routeOf: (url) => routeFor(url, {}), trust: () => loadTrust(undefined) };

export type RunningAuth = {
  readonly port: number;
  readonly diagnosticsPort: number;
  readonly socketPath: string;
  /** Throws if these settings cannot be reloaded. Otherwise returns a function that applies them and cannot fail. */
  readonly prepareReload: (configuration: AuthConfiguration) => () => void;
  /** A service in the same process joins with this token and pin. */
  readonly own: { readonly token: (type: InstanceKind) => Promise<string>; readonly pin: () => Pin };
  /** Settles when every call is answered or cut. */
  readonly stop: () => Promise<void>;
  /** Never resolves. Rejects when auth cannot continue. */
  readonly broken: Promise<never>;
};

export async function startAuth(ports: AuthPorts): Promise<RunningAuth> {
  const { configuration, dataDirectory, removals, log, now, version, hostname, ways = directly, limits = authLimits } = ports;
  const store = notingFaults(ports.store, now);
  const broken = Promise.withResolvers<never>();
  // Nobody may be waiting for this promise when it rejects.
  broken.promise.catch(() => undefined);
  const { facts: cluster, authorities } = await openCluster(store, { name: configuration.clusterName, now: now() });
  // Several auth services may serve one cluster from a database.
  const isShared = configuration.storage !== undefined;
  const people = rememberPeople(now(), store, isShared ? "shared" : "alone");
  const live: LiveAuth = { configuration, authorities, mood: "starting" };
  const instances = new KnownInstances(store);
  const lastReports = new LastReports();
  const hostNames = new HostNames();
  const context = contextOf(live, {
    store,
    removals,
    cluster,
    version,
    people,
    ways,
    instances,
    lastReports,
    hostNames,
    underWay: new Map(),
    now,
    log,
  });
  const meter = new Meter();
  let shown = await firstShown(context, hostname);
  meter.issued.own += 1;
  const connections = new Connections({ limits, told: tellShed(log, meter) });
  let listener: Listener | undefined;
  let lookNow = (): Promise<void> => Promise.resolve();
  const rollouts = makeRollouts();
  const handlers = allHandlers({
    meter,
    cut: (id) => listener?.cut(id),
    lookNow: () => lookNow(),
    rollouts: rollouts.handlers,
  });
  const answer = answerCalls({ routes: routes(context, handlers), limits, log, counted: (call) => meter.call(call) });

  // Stops all parts in the opposite order, also when a later part fails to start.
  await using starting = new AsyncDisposableStack();
  const figures = rememberFigures(context);
  const diagnostics = await listenForDiagnostics(
    {
      metrics: async () =>
        exposition(
          exposed({ meter, context, connections, shown, rollouts: rollouts.figures() }),
          await figuresOr(log, figures()),
        ),
      readiness: async () => readiness(live, store),
    },
    { at: configuration.diagnostics, limits, told: tellShed(log, new Meter()), log },
  );
  starting.defer(diagnostics.stop);
  starting.defer(() => writeRemembered(context, "all"));

  const root = createServer((request, response) => {
    void answer({
      request,
      response,
      findCaller: () => Promise.resolve({ kind: "root", host: hostname }),
      isTooMany: false,
      giveUp: () => void response.destroy(),
    });
  });
  const socketPath = rootSocketPath(dataDirectory);
  await listenForRoot(root, socketPath);
  starting.defer(() => closeRoot(root, limits));

  const heed = isShared
    ? await heedOthers(store, { cut: (id) => listener?.cut(id), lookNow: () => lookNow(), now, log })
    : undefined;
  await noteReportsTaken(context, limits);
  listener = await listenSecurely(
    ({ shown: over, ...asked }) => answer({ ...asked, findCaller: () => findCaller(over, context) }),
    { at: configuration.listen, tls: tlsOptions(shown), limits, connections },
  );
  starting.defer(listener.stop);

  const look = async (): Promise<void> => {
    const next = await lookAgain(shown, context, hostname);
    if (next !== shown) {
      listener.renew(tlsOptions(next));
      if (next.own !== shown.own) {
        meter.issued.own += 1;
        log("info", "auth has renewed its own certificate", { until: next.own.until });
      }
      shown = next;
      live.authorities = next.authorities;
    }
    await noteReportsTaken(context, limits);
    await forgetOldEvents(context);
    await forgetShells(context);
    await forgetPassing(context);
    await writeRemembered(context, "minutes-that-are-over");
  };
  lookNow = look;
  starting.defer(every(limits.lookMs, look, (thrown) => log("error", notRenewed, { why: String(thrown) })));
  const rolloutsFailed = (thrown: unknown): void =>
    log("warning", "rollouts could not be moved on; it is tried again", { why: String(thrown) });
  starting.defer(rollouts.stop);
  starting.defer(every(limits.rolloutMs, () => rollouts.look(context), rolloutsFailed));
  const toldOnce = (everyMs: number, step: () => Promise<unknown>, message: string): void => {
    let isTold = false;
    const failed = (thrown: unknown): void => {
      if (!isTold) log("warning", message, { why: String(thrown) });
      isTold = true;
    };
    starting.defer(every(everyMs, () => step().then(() => void (isTold = false)), failed));
  };
  // Reads changes ahead of the next call.
  toldOnce(limits.rolloutMs, () => instances.now(), "what hosts report could not be read; it is tried again");
  if (heed !== undefined) {
    toldOnce(lookAtOthersMs, heed, "what other auth services did could not be read; it is tried again");
  }
  live.mood = "open";
  const started = starting.move();
  return {
    port: listener.port,
    diagnosticsPort: diagnostics.port,
    socketPath,
    broken: broken.promise,
    own: { token: (type) => makeOwnToken(context, type, hostname), pin: () => live.authorities.serving.pin },
    prepareReload: (next) => {
      refuseWhatNeedsARestart(live.configuration, next);
      return () => {
        live.configuration = next;
      };
    },
    stop: async () => {
      live.mood = "draining";
      await started.disposeAsync();
    },
  };
}

const notRenewed = "what auth speaks TLS with could not be renewed; it is tried again";

/** The parts that change while auth runs. */
type LiveAuth = { configuration: AuthConfiguration; authorities: Authorities; mood: "starting" | "open" | "draining" };

function contextOf(
  live: LiveAuth,
  fixed: Omit<AuthContext, "authorities" | "times" | "publicHosts" | "secondFactor">,
): AuthContext {
  return {
    ...fixed,
    get authorities() {
      return live.authorities;
    },
    get times() {
      return live.configuration.times;
    },
    get publicHosts() {
      return live.configuration.publicAddresses.map(({ host }) => host);
    },
    get secondFactor() {
      return live.configuration.secondFactor;
    },
  };
}

type Exposing = {
  readonly meter: Meter;
  readonly context: AuthContext;
  readonly connections: Connections;
  readonly shown: Shown;
  readonly rollouts: readonly RolloutFigures[];
};

function exposed({ meter, context: { version, cluster, people }, connections, shown, rollouts }: Exposing): Live {
  const expiries = shown.authorities.trusted.map(({ certificate }) => certificate.validToDate.getTime() / 1000);
  const authorityUntil = Math.min(...expiries);
  return {
    meter,
    signIns: people.signIns,
    version,
    clusterName: cluster.name,
    connections,
    ownUntil: shown.own.until,
    authorityUntil,
    rollouts,
  };
}

async function figuresOr(log: Log, figures: Promise<Figures>): Promise<Figures | undefined> {
  try {
    return await figures;
  } catch (thrown) {
    log("warning", "the store could not be read for metrics", { why: String(thrown) });
    return undefined;
  }
}

/** Ready when auth is open and its store answers. */
async function readiness({ mood }: LiveAuth, store: NotedStore): Promise<Page> {
  const why = await store.about().then(
    () => store.failing()?.message,
    (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown)),
  );
  const ready = mood === "open" && why === undefined;
  return jsonPage(ready ? 200 : 503, { ready, mood, store: why === undefined ? "readable" : "failing", why });
}

async function closeRoot(root: Server, { drainMs }: AuthLimits): Promise<void> {
  const closed = new Promise<void>((resolve) => root.close(() => resolve()));
  root.closeIdleConnections();
  const cut = setTimeout(() => root.closeAllConnections(), drainMs);
  await closed;
  clearTimeout(cut);
}
