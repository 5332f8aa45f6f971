import { Fault } from "../fault/fault.ts";
import { quote } from "../text/quote.ts";
import { isLoopback, targetOf } from "./host.ts";
import { entryMatches, parseNoProxy } from "./no-proxy.ts";
import { parseProxy, type Proxy } from "./proxy.ts";

/** The variables that say how to reach the outside, as found. Upper case wins over lower case. */
export type ProxyVariables = NamedVariables & {
  /** The file that sets them, for messages; undefined for the usual one. */
  readonly setIn?: string | undefined;
};

type NamedVariables = {
  readonly HTTPS_PROXY?: string | undefined;
  readonly HTTP_PROXY?: string | undefined;
  readonly NO_PROXY?: string | undefined;
  readonly https_proxy?: string | undefined;
  readonly http_proxy?: string | undefined;
  readonly no_proxy?: string | undefined;
};

/** Picks the proxy variables out of all variables. */
export function proxyVariablesIn({
  HTTPS_PROXY,
  https_proxy,
  HTTP_PROXY,
  http_proxy,
  NO_PROXY,
  no_proxy,
}: Readonly<Record<string, string | undefined>>): ProxyVariables {
  const all = { HTTPS_PROXY, https_proxy, HTTP_PROXY, http_proxy, NO_PROXY, no_proxy };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** How a URL is reached. The rule that decided it is in words that administrators recognise from the variables. */
export type Route = (
  | { readonly kind: "direct"; readonly rule: string }
  | { readonly kind: "proxy"; readonly proxy: Proxy; readonly rule: string }
) &
  Pick<ProxyVariables, "setIn">;

/** The route to a URL. Reads a proxy variable, and reports its faults, only if the route uses it. */
export function routeFor(url: URL | string, variables: ProxyVariables): Route {
  const route = chosenBy(url, variables);
  return variables.setIn === undefined ? route : { ...route, setIn: variables.setIn };
}

function chosenBy(url: URL | string, variables: ProxyVariables): Route {
  const parsed = parseTarget(url);
  const target = parsed === undefined ? undefined : targetOf(parsed);
  if (parsed === undefined || target === undefined) throw notAUrl(url);
  if (isLoopback(target.host)) return { kind: "direct", rule: "loopback is never proxied" };

  const wanted = parsed.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const proxy = variableInForce(variables, wanted);
  if (proxy === undefined) return { kind: "direct", rule: `no ${wanted} is set` };

  const noProxy = variableInForce(variables, "NO_PROXY");
  const bypass = parseNoProxy(noProxy?.value ?? "").entries.find((entry) => entryMatches(entry, target.host, target.port));
  if (noProxy !== undefined && bypass !== undefined) {
    return { kind: "direct", rule: `${noProxy.name} entry "${quote(bypass.text)}"` };
  }
  return { kind: "proxy", proxy: parseProxy(proxy.name, proxy.value, variables.setIn), rule: proxy.name };
}

export function unusableNoProxyEntries(variables: ProxyVariables): readonly string[] {
  return parseNoProxy(variableInForce(variables, "NO_PROXY")?.value ?? "").unusable;
}

const lowerCase = { HTTPS_PROXY: "https_proxy", HTTP_PROXY: "http_proxy", NO_PROXY: "no_proxy" } as const;

/** Picks the spelling that counts. An empty variable counts as unset: people switch a proxy off like that. */
export function variableInForce(
  variables: ProxyVariables,
  upper: keyof typeof lowerCase,
): { readonly name: keyof NamedVariables; readonly value: string } | undefined {
  for (const name of [upper, lowerCase[upper]]) {
    const value = variables[name]?.trim() ?? "";
    if (value !== "") return { name, value };
  }
  return undefined;
}

function parseTarget(url: URL | string): URL | undefined {
  const parsed = typeof url === "string" ? (URL.parse(url) ?? undefined) : url;
  return parsed?.protocol === "https:" || parsed?.protocol === "http:" ? parsed : undefined;
}

/** Shows only the text after the last @, because a password may stand before it. */
function notAUrl(url: URL | string): Fault {
  const shown = quote(String(url).replace(/^.*@/s, "…@"));
  return new Fault("usage", {
    message: `there is no route to "${shown}": it is not an http or https URL with a usable host`,
    hint: "give a whole URL, for example: `svc-upgrade route https://proxy.example.com`",
  });
}
