import type { RunningAuth } from "../auth/service.ts";
import type { Log } from "../host/log.ts";
import { proxyVariablesIn } from "../route/route.ts";
import { limits } from "../server/limits.ts";
import type { ServerSurroundings } from "../server/surroundings.ts";
import type { LoadedServices } from "./load.ts";
import { joinOwn } from "./own-instance.ts";
import { startNodePresence, startProxyPresence, type PresencePart } from "./presence-part.ts";
import { relayOver } from "./relay.ts";
import { refuseSwitched } from "./switched.ts";

/** One service, as all of them look from here. */
type Part = {
  /** What the log says of it once it serves; undefined: it is there always. */
  readonly told: string | undefined;
  /** Throws where it cannot be: nothing was changed then. What is returned puts it in force, and cannot fail. */
  readonly prepareReload: (loaded: LoadedServices) => () => void;
  readonly stop: () => Promise<void>;
  /** Never resolves. */
  readonly broken: Promise<never>;
};

export type Running = Omit<Part, "told"> & { readonly told: string };

export type RunningPorts = { readonly log: Log; readonly environment: ServerSurroundings["environment"] };

/** Starts every service that is enabled; where one cannot start, none goes on. */
export async function startServices(loaded: LoadedServices, ports: RunningPorts): Promise<Running> {
  const parts: Part[] = [];
  const stop = async (): Promise<void> => {
    // The proxy first: it may ask auth for as long as it serves.
    for (const part of parts.toReversed()) await part.stop();
  };
  try {
    const auth = await startAuthService(loaded, ports);
    if (auth !== undefined) parts.push(auth);
    const proxy = await startProxyService(loaded, { ...ports, auth: auth?.running });
    if (proxy !== undefined) parts.push(proxy);
    parts.push(await startNode(loaded, { ...ports, auth: auth?.running }));
  } catch (thrown) {
    await stop();
    throw thrown;
  }
  let inForce = loaded.services;
  return {
    told: parts.flatMap(({ told }) => told ?? []).join("; ") || "none but this host's own presence in its cluster",
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

async function startAuthService({ services }: LoadedServices, { log }: RunningPorts): Promise<AuthPart | undefined> {
  const { auth: configuration, dataDirectory } = services;
  if (configuration === undefined) return undefined;
  // A plain host has it not in its memory.
  const { startAuthPart } = await import("./auth-part.ts");
  const auth = await startAuthPart(configuration, { dataDirectory, log });
  return {
    told: `auth of the cluster ${configuration.clusterName} on port ${auth.port}`,
    prepareReload: (next) => (next.services.auth === undefined ? () => undefined : auth.prepareReload(next.services.auth)),
    stop: auth.stop,
    broken: auth.broken,
    running: auth,
  };
}

type BesideAuth = RunningPorts & { readonly auth: RunningAuth | undefined };

async function startProxyService(
  { proxy: loaded, services }: LoadedServices,
  { log, environment, auth }: BesideAuth,
): Promise<Part | undefined> {
  if (loaded === undefined) return undefined;
  const { startServer } = await import("../server/server.ts");
  const { dataDirectory, auth: configuration } = services;
  if (auth !== undefined && configuration !== undefined) {
    await joinOwn({ kind: "proxy", configuration, auth, dataDirectory, log });
  }
  let presence: PresencePart | undefined;
  const relay = relayOver({ transport: () => presence?.transport(), log });
  const proxies = proxyVariablesIn(environment);
  const server = await startServer(loaded, { limits, proxies, log, program: "svc", relay });
  presence = startProxyPresence({ dataDirectory, log, environment });
  return {
    told: `proxy on port ${server.port}`,
    prepareReload: (next) => {
      const apply = next.proxy === undefined ? () => undefined : server.prepareReload(next.proxy);
      return () => {
        apply();
        presence?.look();
      };
    },
    stop: async () => {
      await presence?.stop();
      await server.stop();
    },
    broken: server.broken,
  };
}

/** On every host, whatever else runs there. */
async function startNode({ services }: LoadedServices, { log, environment, auth }: BesideAuth): Promise<Part> {
  const { dataDirectory, updaterRoot, auth: configuration, proxy } = services;
  if (auth !== undefined && configuration !== undefined) {
    await joinOwn({ kind: "node", configuration, auth, dataDirectory, log });
  }
  const running = ["node", ...(proxy === undefined ? [] : ["proxy"]), ...(auth === undefined ? [] : ["auth"])];
  const presence = startNodePresence({ services: running, updaterRoot, dataDirectory, log, environment });
  return {
    told: undefined,
    prepareReload: () => presence.look,
    stop: presence.stop,
    broken: new Promise(() => undefined),
  };
}
