import { parsePort } from "../route/port.ts";
import type { ConfigKey } from "./settings.ts";
import { readEndpoint } from "./endpoint.ts";
import { describe, isMapping, type Mapping } from "../shape/reading.ts";
import type { Endpoint } from "./settings.ts";

/** What the agent's own configuration says about the endpoint. */
export type AgentEndpoint =
  | { readonly kind: "endpoint"; readonly endpoint: Endpoint; readonly key: string }
  | { readonly kind: "absent" }
  | { readonly kind: "refused"; readonly key: string; readonly found: string; readonly allowed: string };

/**
 * From the parsed text of the agent's configuration: what stands under the key, or without one `proxy_server`, below `svc` or else
 * at the top. Everything else in it is the agent's affair.
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

/** On the way down there are mappings alone; what is not there, or empty, says nothing. */
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

/** The agent speaks TLS to its proxy always, so a bare `host:port` means https, and http is not what it can mean. */
function readProxyServer(key: string, raw: unknown): AgentEndpoint {
  const allowed = "host:port or https://host[:port]";
  // Around these signs may stand a secret.
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
