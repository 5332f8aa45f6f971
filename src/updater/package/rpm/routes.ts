import { Fault } from "../../../rules/fault/fault.ts";
import { parseNoProxy, type NoProxyEntry } from "../../../rules/route/no-proxy.ts";
import { parseProxy } from "../../../rules/route/proxy.ts";
import { routeFor, variableInForce, type ProxyVariables } from "../../../rules/route/route.ts";
import { proxyUrl } from "../configuration/proxy-url.ts";

type Scheme = "http" | "https";

/** Our routes for libcurl, by which these managers download. */
export type CurlRoutes = {
  /** The schemes that a variable covers. For these, the manager's own proxy must not be used. */
  readonly ruled: readonly Scheme[];
  readonly rules: (url: string) => boolean;
  /** Contains passwords, so it may be written only into a file that only root can read. */
  readonly env: Readonly<Record<string, string>>;
};

/** Empties all variables. libcurl reads empty as unset, and no variable of the agent's environment file must be used beside ours. */
const none: Readonly<Record<string, string>> = {
  http_proxy: "",
  https_proxy: "",
  no_proxy: "",
  all_proxy: "",
  HTTP_PROXY: "",
  HTTPS_PROXY: "",
  NO_PROXY: "",
  ALL_PROXY: "",
};

/**
 * Gives the manager the routes of all other connections. libcurl's NO_PROXY knows no ports, and netmasks only in recent versions, so the host of
 * every repository is listed. For hosts that only a mirror list names, the entries of NO_PROXY that libcurl understands stay. If no variable covers a
 * scheme, the manager's own configuration stays.
 */
export function curlRoutes(urls: readonly string[], variables: ProxyVariables): CurlRoutes {
  const ruled = (["http", "https"] as const).filter((scheme) => variableInForce(variables, variableOf(scheme)) !== undefined);
  const rules = (url: string): boolean => ruled.some((scheme) => url.toLowerCase().startsWith(`${scheme}:`));
  if (ruled.length === 0) return { ruled, rules, env: none };
  const servers = urls.filter(rules).flatMap((url) => serverOf(url, variables));
  const proxied = servers.filter(({ way }) => way === "proxy").map(({ host }) => host);
  const direct = servers.filter(({ way }) => way === "direct").map(({ host }) => host);
  const bent = proxied.find((host) => direct.some((name) => isCovered(host, name)));
  if (bent !== undefined) throw portDecides(bent);
  const others = parseNoProxy(variableInForce(variables, "NO_PROXY")?.value ?? "")
    .entries.flatMap(textFor)
    .filter((name) => !proxied.some((host) => isCovered(host, name)));
  // libcurl reads `*` as every host only if it stands alone.
  if (others.includes("*")) return { ruled, rules, env: { ...none, no_proxy: "*" } };
  return {
    ruled,
    rules,
    env: {
      ...none,
      ...Object.fromEntries(ruled.map((scheme) => [`${scheme}_proxy`, proxyOf(scheme, variables)])),
      no_proxy: [...new Set([...direct, ...others])].join(","),
    },
  };
}

function variableOf(scheme: Scheme): "HTTP_PROXY" | "HTTPS_PROXY" {
  return scheme === "http" ? "HTTP_PROXY" : "HTTPS_PROXY";
}

type Server = { readonly host: string; readonly way: "direct" | "proxy" };

function serverOf(text: string, variables: ProxyVariables): readonly Server[] {
  const url = URL.parse(text);
  return url === null ? [] : [{ host: url.hostname.replace(/^\[(.*)\]$/, "$1"), way: routeFor(url, variables).kind }];
}

/** The proxy for a scheme. An unusable one is a fault only if a server needs it, and then `routeFor` has thrown it. */
function proxyOf(scheme: Scheme, variables: ProxyVariables): string {
  const found = variableInForce(variables, variableOf(scheme));
  try {
    return found === undefined ? "" : proxyUrl(parseProxy(found.name, found.value, variables.setIn));
  } catch (thrown) {
    if (thrown instanceof Fault) return "";
    throw thrown;
  }
}

/** An entry for libcurl, which ignores entries with a port. */
function textFor({ text, hosts, port }: NoProxyEntry): readonly string[] {
  if (port !== undefined) return [];
  return hosts.kind === "domain"
    ? [hosts.itself === "matches" ? hosts.name : `.${hosts.name}`]
    : [text.replace(/^\[(.*)\]$/, "$1")];
}

/** libcurl matches a name and everything below it, with or without a leading dot. */
function isCovered(host: string, name: string): boolean {
  const bare = name.replace(/^\./, "");
  return bare === "*" || host === bare || host.endsWith(`.${bare}`);
}

function portDecides(host: string): Fault {
  return new Fault("proxy-invalid", {
    message: `by NO_PROXY only some of the ways to the repositories on ${host} are direct: the package manager cannot tell them apart`,
    hint: `name ${host} in NO_PROXY without a port, or not at all`,
  });
}
