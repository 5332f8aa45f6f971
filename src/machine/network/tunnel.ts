import type { Agent } from "node:http";
import type { LookupFunction } from "node:net";
import { ProxyAgent } from "proxy-agent";
import { printProxy } from "../../rules/route/proxy.ts";
import type { Route } from "../../rules/route/route.ts";
import { proxyAuthorization } from "./proxy-authorization.ts";
import type { Trust } from "./trust.ts";
import { guardTunnel, type Tunnel } from "./tunnel-guard.ts";

export type TunnelOptions = {
  /** Closes the connection to the proxy: the agent itself has no deadline. */
  readonly signal: AbortSignal;
  /** For the proxy's own name; the server's name is the proxy's business. */
  readonly lookup: LookupFunction | undefined;
  readonly trust: Trust | undefined;
};

/**
 * An agent that reaches every server through this proxy: https by CONNECT, http by asking the proxy itself.
 * It knows no environment and no exceptions: the route is decided before. Loaded only where a route is a proxy.
 */
export function agentThrough(route: Extract<Route, { kind: "proxy" }>, { signal, lookup, trust }: TunnelOptions): Agent {
  const { proxy } = route;
  const authorization = proxyAuthorization(proxy);
  const { checkServerIdentity, ...connection } = trust?.connection ?? {};
  const agent = new ProxyAgent({
    getProxyForUrl: () => printProxy(proxy),
    // Not in the URL: proxy-agent writes URLs into its debug log and decodes them in its own way.
    headers: authorization === undefined ? {} : { "Proxy-Authorization": authorization },
    signal,
    ...(lookup === undefined ? {} : { lookup }),
    ...connection,
  });
  const choose = agent.connect.bind(agent);
  agent.connect = async (request, options) => {
    const chosen = (await choose(request, options)) as Agent & Tunnel<typeof options>;
    // Of the proxy alone: what an agent is given counts for the server behind it as well, and there goes before the request's own.
    if (checkServerIdentity !== undefined) Object.assign(chosen.connectOpts, { checkServerIdentity });
    // Of http requests the proxy's answer is Node's own to read, which has its limits.
    if (options.secureEndpoint) guardTunnel(chosen, printProxy(proxy), route);
    return chosen;
  };
  return agent;
}
