import { parsePort } from "../route/port.ts";
import type { ConfigKey } from "./settings.ts";
import { readEndpoint } from "./endpoint.ts";
import { describe, isMapping, type Mapping } from "../shape/reading.ts";
import type { Endpoint } from "./settings.ts";

/** The endpoint in the agent's own configuration. */
export type AgentEndpoint =
  | { readonly kind: "endpoint"; readonly endpoint: Endpoint; readonly key: string }
  | { readonly kind: "absent" }
  | { readonly kind: "refused"; readonly key: string; readonly found: string; readonly allowed: string };

/**
 * Takes the endpoint from the agent's parsed configuration: the value under the key, or without a key `proxy_server`, below `svc` or at the top.
 * Ignores everything else.
 */
export function agentEndpoint(config: unknown, key: ConfigKey | undefined): AgentEndpoint {
  if (config === undefined || config === null) return { kind: "absent" };
  if (!isMapping(config)) return { kind: "refused", key: "", found: describe(config), allowed: "a mapping" };
  if (key !== undefined) return endpointAt(config, key);
  const inner = config["svc"];
  const below = isMapping(inner) ? inner["proxy_server"] : undefined;
  if (below !== undefined && below !== null) return readProxyServer("svc.proxy_server", below);
  const top = config["proxy_server"];
  return top === undefined || top === null ? { kind: "absent" } : readProxyServer("proxy_server", top);
}

/** Follows the names down. A missing or empty key gives nothing. */
function endpointAt(config: Mapping, names: ConfigKey): AgentEndpoint {
  let here: unknown = config;
  const walked: string[] = [];
  for (const name of names) {
    if (!isMapping(here)) {
      return { kind: "refused", key: walked.join("."), found: describe(here), allowed: `a mapping with ${name}` };
    }
    here = Object.hasOwn(here, name) ? here[name] : undefined;
    if (here === undefined || here === null) return { kind: "absent" };
    walked.push(name);
  }
  return readProxyServer(walked.join("."), here);
}

/** The agent always speaks TLS to its proxy, so a bare `host:port` means https, and http is refused. */
function readProxyServer(key: string, raw: unknown): AgentEndpoint {
  const allowed = "host:port or https://host[:port]";
  // Does not show a value with these characters, because a secret may stand around them.
  const found =
    typeof raw === "string" && /[@?#]/.test(raw) ? "a text with more than a host and a port (not shown)" : describe(raw);
  const endpoint = typeof raw === "string" ? parseProxyServer(raw) : undefined;
  return endpoint === undefined ? { kind: "refused", key, found, allowed } : { kind: "endpoint", key, endpoint };
}

function parseProxyServer(text: string): Endpoint | undefined {
  const isBare = !text.includes("://");
  if (isBare && parsePort(/:(\d+)$/.exec(text)?.[1] ?? "") === undefined) return undefined;
  const reading = readEndpoint(isBare ? `https://${text}` : text);
  return reading.kind === "value" && /^https:\/\/[^/]+$/.test(reading.value) ? reading.value : undefined;
}
