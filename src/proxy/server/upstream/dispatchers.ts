import { isIP } from "node:net";
import type { buildConnector, Dispatcher } from "undici";
import { longestHeaderBytes } from "../../../machine/network/exchange.ts";
import { proxyAuthorization } from "../../../machine/network/proxy-authorization.ts";
import type { Trust } from "../../../machine/network/trust.ts";
import { printProxy } from "../../../rules/route/proxy.ts";
import type { Route } from "../../../rules/route/route.ts";
import { connectMs, wholeMs } from "./deadlines.ts";

/** The connections to upstreams, kept open between two questions: one pool for the direct way, one for each proxy. */
export type Dispatchers = {
  readonly through: (route: Route) => Promise<Dispatcher>;
  readonly close: () => Promise<void>;
  /** Of the certificates that are trusted. */
  readonly stores: readonly string[];
};

export function openDispatchers(trust: Trust | undefined): Dispatchers {
  const open = new Map<string, Promise<Dispatcher>>();
  return {
    stores: trust?.stores ?? [],
    through: (route) => {
      const key = route.kind === "direct" ? "" : `${printProxy(route.proxy)} ${proxyAuthorization(route.proxy) ?? ""}`;
      const known = open.get(key);
      if (known !== undefined) return known;
      const opening = dispatcherFor(route, trust);
      open.set(key, opening);
      return opening;
    },
    close: async () => {
      const dispatchers = await Promise.all(open.values());
      open.clear();
      await Promise.all(dispatchers.map((dispatcher) => dispatcher.destroy()));
    },
  };
}

/** Loaded only where something is forwarded. */
async function dispatcherFor(route: Route, trust: Trust | undefined): Promise<Dispatcher> {
  const { Agent, Pool, ProxyAgent } = await import("undici");
  const connect = { timeout: connectMs, allowH2: false, ...trust?.connection };
  // As many connections as there are questions: in a queue of the pool's a question's deadline would run.
  const pool = { allowH2: false, headersTimeout: wholeMs, bodyTimeout: wholeMs, maxHeaderSize: longestHeaderBytes };
  if (route.kind === "direct") return new Agent({ ...pool, connect });
  const token = proxyAuthorization(route.proxy);
  const toProxy = (origin: string | URL, options: { readonly connect?: buildConnector.connector }): Dispatcher => {
    const { connect: open, ...others } = options;
    return new Pool(origin, { ...others, ...(open === undefined ? {} : { connect: namingNoAddress(open) }) });
  };
  return new ProxyAgent({
    ...pool,
    uri: printProxy(route.proxy),
    clientFactory: toProxy,
    factory: toProxy,
    connectTimeout: connectMs,
    requestTls: connect,
    proxyTls: connect,
    // What is asked by plain http the proxy asks itself, as it does for the updaters.
    proxyTunnel: false,
    ...(token === undefined ? {} : { token }),
  });
}

/** A handshake asks for a host by its name; a proxy that is given by its address has none, and undici would ask for the address. */
function namingNoAddress(open: buildConnector.connector): buildConnector.connector {
  return ({ servername, ...options }, callback) => {
    const isName = servername !== undefined && isIP(servername.replace(/^\[(.*)\]$/, "$1")) === 0;
    open(isName ? { ...options, servername } : options, callback);
  };
}
