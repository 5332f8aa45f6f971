import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunningAuth } from "../auth/service.ts";
import type { Log } from "../../machine/logging/log.ts";
import { readClock } from "../../machine/clocks/read-clock.ts";
import { runCommand } from "../../machine/processes/run-command.ts";
import { proxyVariablesIn } from "../../rules/route/route.ts";
import { limits } from "../../proxy/server/limits.ts";
import type { ServerSurroundings } from "../../proxy/server/surroundings.ts";
import { updaterBelow, type Updater } from "../host-updater/updater.ts";
import type { LoadedServices } from "./load.ts";
import { lockDataDirectory } from "./data-directory.ts";
import type { SshConfiguration } from "../services/ssh-section.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { readIdentity } from "../presence/identity-file.ts";
import type { Identity } from "../presence/identity.ts";
import { kindOf } from "../services/services.ts";
import { joinOwn } from "./own-instance.ts";
import { startOwnPresence, type PresencePart } from "./presence-part.ts";
import { printHostPort } from "../../rules/route/host-port.ts";
import { relayOver } from "./relay.ts";
import { wayToAuth } from "./way-to-auth.ts";
import { waysBy } from "./routes-by-environment.ts";
import { refuseSwitched } from "./refuse-switched-services.ts";

/** A running service. */
type Part = {
  /** What the log says when the service is ready. Undefined for a service that every host runs. */
  readonly told: string | undefined;
  /** Throws, and changes nothing, if the configuration cannot be served. Otherwise returns a function that applies it and cannot fail. */
  readonly prepareReload: (loaded: LoadedServices) => () => void;
  /** Waited for once all services run. */
  readonly ready?: () => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly broken: Promise<never>;
};

export type Running = Omit<Part, "told" | "ready"> & { readonly told: string };

export type RunningPorts = { readonly log: Log; readonly environment: ServerSurroundings["environment"] };

/** Starts every enabled service. If one cannot start, all are stopped. */
export async function startServices(loaded: LoadedServices, ports: RunningPorts): Promise<Running> {
  const parts: Part[] = [];
  const unlock = await lockDataDirectory(loaded.services.dataDirectory, ports.log);
  const stop = async (): Promise<void> => {
    // Stops the proxy before auth, because a serving proxy may ask auth.
    for (const part of parts.toReversed()) await part.stop();
    unlock();
  };
  try {
    const auth = await startAuthService(loaded, ports);
    if (auth !== undefined) parts.push(auth);
    if (auth !== undefined) await joinOwnHost(loaded, { log: ports.log, auth: auth.running });
    let presence: PresencePart | undefined;
    const joined = {
      transport: () => presence?.transport(),
      auth: () => presence?.auth(),
      identity: () => presence?.identity(),
    };
    const proxy = await startProxyService(loaded, { ...ports, ...joined });
    if (proxy !== undefined) parts.push(proxy);
    presence = await startHere(loaded, ports);
    parts.push(partOf(presence, loaded.services));
    for (const { ready } of parts) await ready?.();
  } catch (thrown) {
    await stop();
    throw thrown;
  }
  let inForce = loaded.services;
  return {
    told: parts.flatMap(({ told }) => told ?? []).join("; ") || "none: this host only reports to its cluster",
    prepareReload: (next) => {
      refuseSwitched(inForce, next.services);
      const prepared = parts.map((part) => part.prepareReload(next));
      return () => {
        for (const apply of prepared) apply();
        inForce = next.services;
      };
    },
    stop,
    broken: Promise.race(parts.map(({ broken }) => broken)),
  };
}

type AuthPart = Part & { readonly running: RunningAuth };

async function startAuthService({ services }: LoadedServices, { log, environment }: RunningPorts): Promise<AuthPart | undefined> {
  const { auth: configuration, dataDirectory } = services;
  if (configuration === undefined) return undefined;
  // Loads auth only here, which saves a plain host the memory.
  const { startAuthPart } = await import("./auth-part.ts");
  const auth = await startAuthPart(configuration, {
    dataDirectory,
    log,
    environment,
    ways: waysBy(proxyVariablesIn(environment)),
  });
  return {
    told: `auth of the cluster ${configuration.clusterName} on port ${auth.port}`,
    prepareReload: (next) => (next.services.auth === undefined ? () => undefined : auth.prepareReload(next.services.auth)),
    stop: auth.stop,
    broken: auth.broken,
    running: auth,
  };
}

/** Joins auth's own host without an administrator's token. */
async function joinOwnHost(
  { services }: LoadedServices,
  { log, auth }: { readonly log: Log; readonly auth: RunningAuth },
): Promise<void> {
  const { dataDirectory, nodename = hostname(), auth: configuration } = services;
  if (configuration === undefined) return;
  await joinOwn({ kind: kindOf(services), nodename, configuration, auth, dataDirectory, log });
}

/** Starts what every host runs, with or without other services. */
async function startHere({ services }: LoadedServices, { log, environment }: RunningPorts): Promise<PresencePart> {
  const { dataDirectory, nodename = hostname(), join, proxy, ssh, labels } = services;
  const updater = await updaterOf(services, log);
  const publicAddress = proxy === undefined ? undefined : printHostPort(proxy.publicAddress);
  const kind = kindOf(services);
  const tunnels = await tunnelsTo(ssh);
  return startOwnPresence({ kind, nodename, updater, join, publicAddress, labels, tunnels, dataDirectory, log, environment });
}

async function tunnelsTo(ssh: SshConfiguration | undefined): Promise<Parameters<typeof startOwnPresence>[0]["tunnels"]> {
  if (ssh === undefined) return undefined;
  // Loads tunnels only here, which saves other hosts the memory.
  const { keepTunnels } = await import("../tunnel/dial.ts");
  return (ports) => keepTunnels({ ...ports, sshd: ssh.sshd });
}

async function updaterOf({ updaterRoot, kube }: LoadedServices["services"], log: Log): Promise<Updater> {
  if (kube === undefined) return updaterBelow({ root: updaterRoot, run: runCommand, now: () => readClock().now });
  // Loads this only in a pod, which saves a plain host the memory.
  const { updaterInKube } = await import("../host-updater/export-windows-to-secret.ts");
  return updaterInKube(kube, log);
}

function partOf(presence: PresencePart, { ssh }: LoadedServices["services"]): Part {
  return {
    told: ssh === undefined ? undefined : "shells through the cluster's proxies",
    prepareReload: () => presence.look,
    stop: presence.stop,
    broken: new Promise(() => undefined),
  };
}

/** Reads the identity once at the start, before the presence does. */
function identityAtStart(dataDirectory: string): Identity | "unreadable" | undefined {
  try {
    return readIdentity({ dataDirectory, kind: "proxy" });
  } catch (thrown) {
    if (thrown instanceof Fault) return "unreadable";
    throw thrown;
  }
}

type ProxyPorts = RunningPorts & Pick<PresencePart, "transport" | "auth" | "identity">;

/** How long a start waits for auth. Meanwhile the proxy answers as auth last said, or with 503 if auth never said anything. */
const longestFirstMs = 2000;

const unanswered =
  "auth has not said yet which versions hosts are told, so every channel answers 503: see below why it cannot be asked";

async function startProxyService(
  { proxy: loaded, services: { dataDirectory, join } }: LoadedServices,
  { log, environment, transport, auth, identity }: ProxyPorts,
): Promise<Part | undefined> {
  if (loaded === undefined) return undefined;
  const { startServer } = await import("../../proxy/server/server.ts");
  const proxies = proxyVariablesIn(environment);
  const { acceptTunnels } = await import("../tunnel/accept.ts");
  const { shellsOfProxy } = await import("./shells-of-proxy.ts");
  const { holdShells } = await import("./held-shells.ts");
  const { readKeptWords } = await import("./kept-words.ts");
  const { answerLife } = await import("./answer-life.ts");
  const { askWords, followWords } = await import("./follow-words.ts");
  const relay = relayOver({ transport, log });
  const tunnels = acceptTunnels({ identity, log, now: () => readClock().now });
  const held = holdShells({ transport, log });
  const life = answerLife();
  const reading = readKeptWords(dataDirectory, log);
  const kept = typeof reading === "string" ? undefined : reading;
  let hasAnswer = kept !== undefined;
  // The proxy's own file may serve another version than the rollout. Only a proxy that joined before there were rollouts may use it at first.
  const atStart = identityAtStart(dataDirectory);
  const isExpected = (): boolean => {
    const own = identity() ?? atStart;
    if (own === undefined) return join !== undefined;
    return own === "unreadable" || own.stored.awaitsWords === true || reading === "unreadable";
  };
  const server = await startServer(loaded, {
    limits,
    proxies,
    log,
    program: "svc",
    relay,
    tunnels,
    upgrades: shellsOfProxy({ relay, tunnels, held }),
    auth: wayToAuth({ auth, ways: waysBy(proxies), log }),
    words: kept,
    isUnconfirmed: life.isOver,
    isWaiting: () => !hasAnswer && isExpected(),
  });
  const following = followWords({
    ask: (asked, stopping) => {
      const to = transport();
      return to === undefined ? undefined : askWords(to, asked, stopping);
    },
    answered: () => {
      hasAnswer = true;
    },
    server,
    life,
    dataDirectory,
    kept,
    log,
  });
  return {
    ready: async () => {
      if (atStart !== undefined) await Promise.race([following.first, sleep(longestFirstMs)]);
      if (!hasAnswer && isExpected()) log("warning", unanswered, {});
    },
    told: `proxy on port ${server.port}`,
    prepareReload: ({ proxy }) => (proxy === undefined ? () => undefined : server.prepareReload(proxy)),
    stop: async () => {
      await Promise.all([following.stop(), server.stop()]);
      await held.stop();
    },
    broken: server.broken,
  };
}
