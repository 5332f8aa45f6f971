import { setTimeout as sleep } from "node:timers/promises";
import { Fault } from "../../rules/fault/fault.ts";
import type { Log } from "../../machine/logging/log.ts";
import { monotonicMs } from "../../machine/clocks/monotonic.ts";
import { printHostPort } from "../../rules/route/host-port.ts";
import type { Configuration } from "../server-rules/configuration.ts";
import type { Words } from "../server-rules/decided.ts";
import type { ServingProgram } from "../server-rules/remarks.ts";
import type { ProxyVariables } from "../../rules/route/route.ts";
import type { IsUnconfirmed } from "./decided-answers.ts";
import { Answers } from "./prepared-answers.ts";
import { Connections } from "../../machine/listening/connections.ts";
import { tellShed } from "../../machine/listening/tell-shed.ts";
import { diagnosticsFor } from "./diagnostics.ts";
import type { Limits } from "./limits.ts";
import { listen, type TunnelEnd } from "./listen.ts";
import type { Live } from "./running-server.ts";
import type { LoadedConfiguration } from "./load.ts";
import { Meter } from "./meter.ts";
import { passOnTo, type Auth } from "./pass-on.ts";
import { isCall, relayFor, type Relay } from "./relay.ts";
import { isForm, visitFor } from "./visit.ts";
import type { Upgrades } from "./shells.ts";
import { respondFor, type ServingRequests } from "./answer-request.ts";
import { tlsOptions, type Certificates } from "./tls.ts";
import { startUpstreams, type Upstreams } from "./upstreams.ts";
import { refuseVanishing } from "./refuse-vanished-channels.ts";
import type { KeyPair } from "./key-pairs.ts";

export type ServerPorts = {
  readonly limits: Limits;
  readonly proxies: ProxyVariables;
  readonly log: Log;
  readonly program: ServingProgram;
  /** Set if this proxy belongs to a cluster. */
  readonly relay?: Relay | undefined;
  readonly auth?: Auth | undefined;
  readonly tunnels?: TunnelEnd | undefined;
  readonly upgrades?: Upgrades | undefined;
  /** The file descriptor of a listening socket that the service manager passed. It replaces our own. */
  readonly passed?: number | undefined;
  /** What auth has decided about channels until now. */
  readonly words?: Words | undefined;
  /** Whether auth's words may be outdated by now. */
  readonly isUnconfirmed?: IsUnconfirmed | undefined;
  /** Whether this proxy must wait for auth's words before it answers for any channel. */
  readonly isWaiting?: (() => boolean) | undefined;
};

export type RunningServer = {
  readonly port: number;
  readonly diagnosticsPort: number;
  readonly live: Live;
  /** Throws, with nothing changed, if the configuration cannot be served. The returned function puts it in force and cannot fail. */
  readonly prepareReload: (loaded: LoadedConfiguration) => () => void;
  /** Answers by these words from now on. */
  readonly decide: (words: Words) => void;
  /** What the configuration in force serves, for each channel whose answer is known. */
  readonly served: () => Readonly<Record<string, string>>;
  /** Resolves once every open request is answered or cut. */
  readonly stop: () => Promise<void>;
  /** Never resolves. Rejects on a failure that the server cannot survive. */
  readonly broken: Promise<never>;
};

/** Enough for the few machines that read diagnostics. */
const ofDiagnostics = { connections: 100, mostConnections: 200 };

export async function startServer(
  loaded: LoadedConfiguration,
  { limits, proxies, log, program, relay, auth, tunnels, upgrades, passed, words: first, isUnconfirmed, isWaiting }: ServerPorts,
): Promise<RunningServer> {
  const now = (): number => Math.floor(Date.now() / 1000);
  const broken = Promise.withResolvers<never>();
  // Keeps Node from ending the process before the caller awaits this promise.
  broken.promise.catch(() => undefined);
  const meter = new Meter();
  const told = tellShed(log, meter);
  const connections = new Connections({ limits, told });
  const serving: ServingRequests = {
    answers: new Answers(loaded.configuration, meter, { isUnconfirmed, isWaiting }),
    meter,
    connections,
    mood: "open",
    relay: relay === undefined ? undefined : relayFor(relay, { meter }),
    visit: relay === undefined ? undefined : visitFor(relay, { meter }),
  };
  let words: Words = first ?? { epoch: 0, words: [] };
  serving.answers.decide(words);
  const certificates = certificatesOf(loaded);
  const main = await listen(respondFor(serving, limits.connections), {
    at: loaded.configuration.listen,
    passed,
    setting: "web_listen_addr",
    limits,
    connections,
    tls: certificates === undefined ? undefined : tlsOptions(certificates),
    passOn: auth === undefined ? undefined : passOnTo(auth, { meter }),
    tunnels,
    upgrades,
    takesBody: (request) => relay !== undefined && (isCall(request) || isForm(request)),
  });
  const upstreams = (before: Live["upstreams"], of: LoadedConfiguration): Upstreams =>
    startUpstreams(of, { answers: serving.answers, proxies, now, log, before, broken: broken.reject });
  const live: Live = { serving, upstreams: new Map(), certificates: loaded.keyPairs, now, askedReadyMs: undefined };
  const diagnostics = await listen(diagnosticsFor(live), {
    at: loaded.configuration.diagnostics,
    setting: "diag_addr",
    // Gives kept connections no extra time: the readiness page has already told its readers that the server stops.
    limits: { ...limits, ...ofDiagnostics, lastWordMs: 0 },
    connections: new Connections({ limits: ofDiagnostics, told }),
    tls: undefined,
  }).catch(async (thrown: unknown) => {
    await main.drain();
    throw thrown;
  });
  let asking = upstreams(live.upstreams, loaded);
  live.upstreams = asking.all;
  let inForce = loaded.configuration;
  const refuseUnlessMeant = refuseVanishing(monotonicMs, program);

  return {
    port: main.port,
    diagnosticsPort: diagnostics.port,
    live,
    broken: broken.promise,
    prepareReload: (next) => {
      refuseWhatNeedsARestart(inForce, { after: next.configuration, program });
      refuseUnlessMeant(inForce, next.configuration);
      const pairs = certificatesOf(next)?.pairs;
      const answers = new Answers(next.configuration, meter, { isUnconfirmed, isWaiting });
      return () => {
        if (pairs !== undefined && certificates !== undefined) {
          certificates.pairs = pairs;
          main.renew(pairs[0]);
        }
        live.certificates = next.keyPairs;
        const retired = serving.answers;
        answers.decide(words);
        serving.answers = answers;
        inForce = next.configuration;
        const old = asking;
        asking = upstreams(old.all, next);
        live.upstreams = asking.all;
        retired.retire();
        old.stop().catch(broken.reject);
      };
    },
    decide: (next) => {
      words = next;
      serving.answers.decide(next);
    },
    served: () => serving.answers.served(),
    stop: async () => {
      serving.mood = "draining";
      if (isWatched(live)) {
        log("info", "it is no longer ready, and accepts connections until load balancers know", {
          seconds: limits.graceMs / 1000,
        });
        await sleep(limits.graceMs);
      }
      await main.drain();
      await Promise.all([diagnostics.drain(), asking.stop()]);
    },
  };
}

/** If readiness was asked for within this time, a load balancer watches this server, and a stop waits for it. */
const watchedWithinMs = 60_000;

function isWatched({ askedReadyMs }: Live): boolean {
  return askedReadyMs !== undefined && monotonicMs() - askedReadyMs <= watchedWithinMs;
}

function certificatesOf({ keyPairs }: { readonly keyPairs: readonly KeyPair[] }): Certificates | undefined {
  const [first, ...others] = keyPairs;
  return first === undefined ? undefined : { pairs: [first, ...others] };
}

type Wanted = { readonly after: Configuration; readonly program: ServingProgram };

function refuseWhatNeedsARestart(before: Configuration, { after, program }: Wanted): void {
  const changed = [
    ...(printHostPort(before.listen) === printHostPort(after.listen) ? [] : ["web_listen_addr"]),
    ...(printHostPort(before.diagnostics) === printHostPort(after.diagnostics) ? [] : ["diag_addr"]),
    ...(before.keyPairs.length > 0 === after.keyPairs.length > 0 ? [] : ["whether there are https_keypairs"]),
  ];
  if (changed.length === 0) return;
  throw new Fault("settings-invalid", {
    message: `a reload cannot change ${changed.join(" and ")}`,
    hint: `restart it for that: \`sudo systemctl restart ${program}\``,
  });
}
