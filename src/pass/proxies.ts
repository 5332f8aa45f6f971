import type { Log } from "../host/log.ts";
import { readFileCapped } from "../host/read-file.ts";
import type { ProxyVariables } from "../route/route.ts";
import { parseEnvironmentFile } from "../settings/environment-file.ts";

const capBytes: number = 64 * 1024;

const names = ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "https_proxy", "http_proxy", "no_proxy"] as const;

/** The proxy variables as a unit with that environment file has them. */
export function proxiesInFile(path: string, log: Log): ProxyVariables {
  const reading = readFileCapped(path, { capBytes, links: "follow" });
  if (reading.kind === "denied") log("warning", "proxies may be set in a file that this user may not read", { path });
  if (reading.kind === "refused") log("warning", "the agent's environment file is not used", { path, why: reading.why });
  return reading.kind === "read" ? pick(parseEnvironmentFile(reading.text)) : {};
}

export function pick(variables: Readonly<Record<string, string | undefined>>): ProxyVariables {
  return Object.fromEntries(names.map((name) => [name, variables[name]]).filter(([, value]) => value !== undefined));
}

/** For a package manager: apt reads the lower-case names alone. */
export function lowerCaseProxies(variables: ProxyVariables): Readonly<Record<string, string>> {
  const pairs = [
    ["https_proxy", variables.HTTPS_PROXY ?? variables.https_proxy],
    ["http_proxy", variables.HTTP_PROXY ?? variables.http_proxy],
    ["no_proxy", variables.NO_PROXY ?? variables.no_proxy],
  ] as const;
  return Object.fromEntries(pairs.flatMap(([name, value]) => (value === undefined || value === "" ? [] : [[name, value]])));
}
