import { encode } from "../../../rules/shape/write.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import { channelUrl } from "../../../rules/channel/path.ts";
import { pathsBelow, type AgentPaths } from "../../../machine/files/paths.ts";
import { agentPathsSeen, endpointOf, prepare, type SettingSources } from "../../sources/settings.ts";
import { isOverridden, layProxies, proxiesToSee } from "../../sources/proxies.ts";
import { printProxy } from "../../../rules/route/proxy.ts";
import {
  proxyVariablesIn,
  routeFor,
  unusableNoProxyEntries,
  type ProxyVariables,
  type Route,
} from "../../../rules/route/route.ts";
import type { CommandContext } from "../context.ts";
import type { SharedOptions } from "../options.ts";
import { routeAnswer } from "../json/route.ts";
import { sourcesOf } from "../wiring/sources.ts";

/** Prints the way to a URL, or to the channel's version, by the variables of a dry run. Contacts nobody. */
export async function route(options: SharedOptions, given: Given, context: CommandContext): Promise<number> {
  const { surroundings, log } = context;
  const paths = pathsBelow(options.root);
  const own = proxyVariablesIn(surroundings.environment);
  const sources = sourcesOf(paths, context, options);
  const agentPaths = await agentPathsSeen(sources);
  const variables = layProxies(proxiesToSee({ paths, agentPaths }, log), own);
  for (const entry of unusableNoProxyEntries(variables)) {
    log("warning", "an entry of NO_PROXY means nothing and is passed over", { entry });
  }
  const url = given.arguments[0] ?? (await versionUrl(sources));
  const decided = routeFor(url, variables);
  const taken = { ...decided, rule: withOrigin(decided.rule, own, agentPaths) };
  surroundings.out(options.json ? `${JSON.stringify(encode(routeAnswer, { ...taken, url }))}\n` : `${routeLine(taken)}\n`);
  return 0;
}

async function versionUrl(sources: SettingSources): Promise<string> {
  const prepared = await prepare(sources);
  return channelUrl(endpointOf(prepared), prepared.settings.channel, "version");
}

function routeLine(taken: Route): string {
  const way = taken.kind === "proxy" ? `proxy ${printProxy(taken.proxy)}` : "direct";
  return `${way} (${taken.rule})`;
}

/** Adds where a variable is set, if it or an entry of it decided. */
export function withOrigin(rule: string, own: ProxyVariables, { environment }: AgentPaths): string {
  const name = /^(?:HTTPS?_PROXY|NO_PROXY|https?_proxy|no_proxy)\b/.exec(rule)?.[0];
  if (name === undefined) return rule;
  return `${rule} in ${isOverridden(name, own) ? "the environment" : environment}`;
}
