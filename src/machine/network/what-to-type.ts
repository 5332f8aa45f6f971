import { printProxy, usualEnvironmentFile } from "../../rules/route/proxy.ts";
import type { Route } from "../../rules/route/route.ts";
import { printUrl, type HopExchange, type Hop } from "./hop.ts";

/** The file that gives the units their proxy variables. */
export function environmentFileOf({ setIn }: Pick<Route, "setIn">): string {
  return setIn ?? usualEnvironmentFile;
}

/** The same request as a curl command over the same route, without the proxy's password. */
export function askByHand({ url, route }: Pick<Hop, "url" | "route">): string {
  const proxy = route.kind === "proxy" ? `-x ${printProxy(route.proxy)} ` : "";
  return `\`curl -v ${proxy}${printUrl(url)}\``;
}

export const allowPlainHttp =
  "if the network in between is trusted, type `echo 'allow_plain_http: true' | sudo tee /etc/svc-upgrade/90-plain-http.yaml`";

/** Where a server is named: in a setting of ours or in a proxy variable. */
export function whereSet(name: string, route: Pick<Route, "setIn">): string {
  const environmentFile = environmentFileOf(route);
  if (name === "endpoint") return "`svc-upgrade config` shows where `endpoint` is set";
  return `${name} is set in ${environmentFile}: \`sudoedit ${environmentFile}\``;
}

/** The server was not reached: check its name, or set a proxy. */
export function ifNotReached(hint: string, { hop: { url, route }, seen }: HopExchange): string {
  if (seen.phase === "waiting" || seen.phase === "reading") return `${hint}: ${askByHand({ url, route })}`;
  const otherwise = `${hint}; ${whereSet("endpoint", route)}`;
  if (route.kind === "proxy") return otherwise;
  const variable = url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const environmentFile = environmentFileOf(route);
  const line = `echo '${variable}=http://HOST:PORT' | sudo tee -a ${environmentFile}`;
  return `${otherwise}; if this host needs a proxy, set ${variable} in ${environmentFile}: \`${line}\``;
}
