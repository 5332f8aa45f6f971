import { isIP } from "node:net";
import type { buildConnector, Dispatcher } from "undici";
import { longestHeaderBytes } from "../../../machine/network/exchange.ts";
import type { RoutedUrl } from "../../../machine/network/follow.ts";
import { proxyAuthorization } from "../../../machine/network/proxy-authorization.ts";
import { secureConnector } from "../../../machine/network/secure-connector.ts";
import type { Trust } from "../../../machine/network/trust.ts";
import { printProxy } from "../../../rules/route/proxy.ts";
import { connectMs, wholeMs } from "./deadlines.ts";

/** The connections to upstreams, kept open between requests: one pool without a proxy, two pools for each proxy. */
export type Dispatchers = {
  readonly through: (way: RoutedUrl) => Promise<Dispatcher>;
  readonly close: () => Promise<void>;
  /** The files of the trusted certificates. */
  readonly stores: readonly string[];
};

export function openDispatchers(trust: Trust | undefined): Dispatchers {
  const open = new Map<string, Promise<Dispatcher>>();
  return {
    stores: trust?.stores ?? [],
    through: (way) => {
      const { url, route } = way;
      const key = route.kind === "direct" ? "" : `${url.protocol} ${printProxy(route.proxy)} ${proxyAuthorization(route.proxy)}`;
      const known = open.get(key);
      if (known !== undefined) return known;
      const opening = dispatcherFor(way, trust);
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

/** Loaded only if something is forwarded. */
async function dispatcherFor({ url, route }: RoutedUrl, trust: Trust | undefined): Promise<Dispatcher> {
  const { Agent, buildConnector, Pool, ProxyAgent } = await import("undici");
  const connect = { timeout: connectMs, allowH2: false, ...trust?.connection };
  // The pools have no queue, because a request's deadline would run while it waits.
  const pool = { allowH2: false, headersTimeout: wholeMs, bodyTimeout: wholeMs, maxHeaderSize: longestHeaderBytes };
  if (route.kind === "direct") return new Agent({ ...pool, connect });
  if (url.protocol === "https:")
    return new Agent({ ...pool, connect: secureConnector(buildConnector(connect), { route, trust, connectMs }) });
  const { proxy } = route;
  const token = proxyAuthorization(proxy);
  return new ProxyAgent({
    uri: printProxy(proxy),
    proxyTls: connect,
    // For plain http the proxy is asked for the URL itself, as the updaters do.
    proxyTunnel: false,
    factory: (origin, { connect: open }: { readonly connect: buildConnector.connector }) =>
      new Pool(origin, {
        ...pool,
        // SNI takes names only; undici would send the address of a proxy that has no name.
        connect: (options, callback) => open(isIP(proxy.host) === 0 ? options : { ...options, servername: "" }, callback),
      }),
    ...(token === undefined ? {} : { token }),
  });
}
