import { readEnvironmentFile } from "../../machine/network/environment-file.ts";
import { loadTrust } from "../../machine/network/trust.ts";
import type { Ways } from "../presence/mutual-tls.ts";
import { usualEnvironmentFile } from "../../rules/route/proxy.ts";
import { proxyVariablesIn, routeFor, type ProxyVariables } from "../../rules/route/route.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** How this host reaches auth: through the proxies in these variables, or directly. */
export function waysBy(variables: ProxyVariables): Ways {
  return { routeOf: (url) => routeFor(url, variables), trust: () => loadTrust(undefined) };
}

/** Returns the caller's proxy variables, or the unit's if the caller has none, as in root's shell. */
export function proxiesFor(environment: Environment, file: string = usualEnvironmentFile): ProxyVariables {
  const own = proxyVariablesIn(environment);
  if (Object.keys(own).length > 0) return own;
  const reading = readEnvironmentFile(file);
  return reading.kind === "read" ? proxyVariablesIn(reading.variables) : {};
}
