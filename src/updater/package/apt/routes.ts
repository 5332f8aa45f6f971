import { Fault } from "../../../rules/fault/fault.ts";
import { parseNoProxy, type NoProxyEntry } from "../../../rules/route/no-proxy.ts";
import { routeFor, variableInForce, type ProxyVariables, type Route } from "../../../rules/route/route.ts";
import { proxyUrl } from "../configuration/proxy-url.ts";

/** Our routes for apt: a configuration that apt reads last, and the variable `no_proxy`. */
export type AptRoutes = { readonly config: string; readonly noProxy: string };

type Scheme = "http" | "https";

/**
 * Gives apt the routes of all other connections. apt reads the variables too simply: only lower case, no netmasks, no ports, and `no_proxy` as ends
 * of names (example.com also matches badexample.com). So each host in the sources gets its own setting. For hosts that only a redirect names, names
 * must do: they keep the proxy despite an entry with a netmask or a port. If no variable covers a scheme, apt's own configuration stays, because an
 * administrator set a proxy there. HTTP_PROXY covers both schemes, because apt uses the http proxy for https too. `fetched`: the output of `apt-get
 * update --print-uris`.
 */
export function aptRoutes(fetched: string, variables: ProxyVariables): AptRoutes | undefined {
  const schemes = ruledSchemes(variables);
  if (schemes.length === 0) return undefined;
  const entries = parseNoProxy(variableInForce(variables, "NO_PROXY")?.value ?? "").entries;
  const portless = entries.filter(({ port }) => port === undefined);
  const servers = serversOf(fetched);
  const hosts = new Set([...servers.map(({ host }) => host), ...portless.flatMap(hostNamed)]);
  const lines = schemes.flatMap((scheme) => [
    // Clears more than "Proxy": settings for single hosts, and programs that find a proxy, would win over ours.
    ...["Proxy", "Proxy-Auto-Detect", "ProxyAutoDetect"].map((key) => `#clear Acquire::${scheme}::${key};`),
    `Acquire::${scheme}::Proxy "${elsewhere(scheme, variables)}";`,
    ...[...hosts].flatMap((host) => {
      const route = routeOf({ scheme, host }, servers, variables);
      return route === undefined ? [] : [`Acquire::${scheme}::Proxy::${host} "${written(route)}";`];
    }),
  ]);
  // no_proxy works for both schemes, so it is empty unless we set http's route: what remains of http's own configuration must not change.
  const noProxy = schemes.includes("http") ? portless.flatMap(domainBelow).join(",") : "";
  return { config: `${lines.join("\n")}\n`, noProxy };
}

function ruledSchemes(variables: ProxyVariables): readonly Scheme[] {
  if (variableInForce(variables, "HTTP_PROXY") !== undefined) return ["http", "https"];
  return variableInForce(variables, "HTTPS_PROXY") === undefined ? [] : ["https"];
}

/** A server that apt will connect to. `host` is spelt as in the source file, because apt looks for settings by that spelling. */
type Server = { readonly scheme: Scheme; readonly host: string; readonly url: string };

/** Other methods (file, cdrom, tor+http) use no proxy, or their own. */
const fetchedUrl = /^'(?:mirror\+)?(https?):\/\/(?:[^/'@]*@)*([^/'@]+)\//;
/** Text with other characters is no host, and cannot be written into apt's configuration. */
const writable = /^[^\s"'\\;{}#]+$/;

function serversOf(fetched: string): readonly Server[] {
  return fetched.split("\n").flatMap((line) => {
    const [, scheme, authority = ""] = fetchedUrl.exec(line) ?? [];
    const host = authority.replace(/:\d*$/, "").replace(/^\[(.*)\]$/, "$1");
    if ((scheme !== "http" && scheme !== "https") || !writable.test(host)) return [];
    return [{ scheme, host, url: `${scheme}://${authority}/` }];
  });
}

/** The route to a host. apt distinguishes hosts and schemes but not ports, so if only the port decides, no setting is right. */
function routeOf(
  { scheme, host }: { readonly scheme: Scheme; readonly host: string },
  servers: readonly Server[],
  variables: ProxyVariables,
): Route | undefined {
  const known = servers.filter((server) => server.host === host && server.scheme === scheme).map(({ url }) => url);
  const urls = known.length > 0 ? [...new Set(known)] : [`${scheme}://${host.includes(":") ? `[${host}]` : host}/`];
  const routes = urls.filter((url) => URL.canParse(url)).map((url) => routeFor(url, variables));
  if (new Set(routes.map(({ kind }) => kind)).size > 1) throw portDecides(host, routes);
  return routes[0];
}

/** The route to servers that no source and no exception names. */
function elsewhere(scheme: Scheme, variables: ProxyVariables): string {
  try {
    return written(routeFor(`${scheme}://host-that-nothing-names.invalid/`, variables));
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    // An unusable proxy is a fault only if a known server needs it. If a redirect leads there, apt refuses this scheme.
    return "unusable://proxy";
  }
}

function written(route: Route): string {
  return route.kind === "direct" ? "DIRECT" : proxyUrl(route.proxy);
}

function hostNamed({ text, hosts }: NoProxyEntry): readonly string[] {
  if (hosts.kind === "domain") return hosts.itself === "matches" ? [hosts.name] : [];
  return hosts.kind === "address" ? [text.replace(/^\[(.*)\]$/, "$1")] : [];
}

/** The names below a domain. apt reads a leading dot as we do: the end of a host name, after a whole label. */
function domainBelow({ hosts }: NoProxyEntry): readonly string[] {
  return hosts.kind === "domain" ? [`.${hosts.name}`] : [];
}

function portDecides(host: string, routes: readonly Route[]): Fault {
  const rule = routes.find(({ kind }) => kind === "direct")?.rule ?? "";
  return new Fault("proxy-invalid", {
    message: `apt's sources name ${host} with several ports, and by ${rule} only some of them are reached directly: apt cannot tell ports apart`,
    hint: `name ${host} in NO_PROXY without a port, or not at all`,
  });
}
