import { readEnvironmentFile } from "../../machine/network/environment-file.ts";
import { loadTrust } from "../../machine/network/trust.ts";
import type { Ways } from "../presence/mutual-tls.ts";
import { usualEnvironmentFile } from "../../rules/route/proxy.ts";
import { proxyVariablesIn, routeFor, type ProxyVariables } from "../../rules/route/route.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** How auth is reached from here, by the rules of every connection. */
export function waysBy(variables: ProxyVariables): Ways {
  return { routeOf: (url) => routeFor(url, variables), trust: () => loadTrust(undefined) };
}

/** The caller's proxy variables, or the unit's if it has none: root's shell has none of its own. */
export function proxiesFor(environment: Environment, file: string = usualEnvironmentFile): ProxyVariables {
  const own = proxyVariablesIn(environment);
  if (Object.keys(own).length > 0) return own;
  const reading = readEnvironmentFile(file);
  return reading.kind === "read" ? proxyVariablesIn(reading.variables) : {};
}
