import { channelUrl } from "../../rules/channel/path.ts";
import { asFault, faultData } from "../../rules/fault/explain.ts";
import type { FaultData } from "../../rules/fault/fault.ts";
import type { Log } from "../../machine/logging/log.ts";
import type { AgentPaths } from "../../machine/files/paths.ts";
import { endpointOf, type PreparedSettings } from "../sources/settings.ts";
import { routeFor, type ProxyVariables, type Route } from "../../rules/route/route.ts";
import type { Endpoint } from "../../rules/settings/settings.ts";
import type { Notes } from "./notes.ts";

/** How passes reach the channel, or why they cannot. Undefined if this user may not know. */
export type RouteToChannel = {
  readonly endpoint: Endpoint | undefined;
  readonly route: Route | undefined;
  readonly fault: FaultData | undefined;
};

export type WayPorts = {
  /** The variables that passes use. A file that this user may not read is logged. */
  readonly proxies: (agentPaths: AgentPaths, log: Log) => ProxyVariables;
};

export function wayToChannel(prepared: PreparedSettings, { proxies }: WayPorts, notes: Notes): RouteToChannel {
  let endpoint: Endpoint | undefined;
  try {
    endpoint = endpointOf(prepared);
    const variables = proxiesSeen((log) => proxies(prepared.agentPaths, log), notes);
    if (variables === undefined) return { endpoint, route: undefined, fault: undefined };
    return { endpoint, route: routeFor(channelUrl(endpoint, prepared.settings.channel, "version"), variables), fault: undefined };
  } catch (thrown) {
    const fault = faultData(asFault(thrown));
    if (fault.code !== "not-permitted") return { endpoint, route: undefined, fault };
    notes.add(fault.message);
    return { endpoint, route: undefined, fault: undefined };
  }
}

/** Undefined if a file could not be read, because half of the variables would give the wrong route. */
function proxiesSeen(proxies: (log: Log) => ProxyVariables, notes: Notes): ProxyVariables | undefined {
  let isWhole = true;
  const variables = proxies((level, sentence, fields) => {
    isWhole = false;
    notes.log(level, sentence, fields);
  });
  return isWhole ? variables : undefined;
}
