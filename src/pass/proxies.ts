import type { Log } from "../host/log.ts";
import { readEnvironmentFile } from "../network/environment-file.ts";
import type { ProxyVariables } from "../route/route.ts";

const pairs = [
  ["HTTPS_PROXY", "https_proxy"],
  ["HTTP_PROXY", "http_proxy"],
  ["NO_PROXY", "no_proxy"],
] as const;

type Name = keyof ProxyVariables;

/** The proxy variables as a unit with that environment file has them. */
export function proxiesInFile(path: string, log: Log): ProxyVariables {
  const reading = readEnvironmentFile(path);
  if (reading.kind === "denied") log("warning", "proxies may be set in a file that this user may not read", { path });
  if (reading.kind === "refused") log("warning", "the agent's environment file is not used", { path, why: reading.why });
  return reading.kind === "read" ? pick(reading.variables) : {};
}

export function pick(variables: Readonly<Record<string, string | undefined>>): ProxyVariables {
  return Object.fromEntries(
    pairs
      .flat()
      .map((name) => [name, variables[name]])
      .filter(([, value]) => value !== undefined),
  );
}

/** The process's own variables over those of the file, as for whoever is not started by systemd. */
export function layProxies(inFile: ProxyVariables, own: ProxyVariables): ProxyVariables {
  const kept = Object.entries(inFile).filter(([name]) => !isOverridden(name, own));
  return { ...Object.fromEntries(kept), ...own };
}

/** In either spelling: who sets the one in a shell does not want the other, out of the file, to win. */
export function isOverridden(name: string, own: ProxyVariables): boolean {
  return pairs.some(
    (pair) => pair.some((spelling) => spelling === name) && pair.some((spelling: Name) => own[spelling] !== undefined),
  );
}
