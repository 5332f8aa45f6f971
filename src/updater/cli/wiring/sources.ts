import type { AgentPaths, Paths } from "../../../machine/files/paths.ts";
import type { SettingSources } from "../../sources/settings.ts";
import { layProxies, proxiesToSee } from "../../sources/proxies.ts";
import { proxyVariablesIn, type ProxyVariables } from "../../../rules/route/route.ts";
import type { Fragment } from "../../../rules/settings/settings.ts";
import type { CommandContext } from "../context.ts";
import type { SharedOptions } from "../options.ts";
import type { Surroundings } from "../surroundings.ts";
import { isOwnRoot } from "../../../machine/processes/booted.ts";

export type SourceContext = Pick<CommandContext, "log"> & {
  readonly surroundings: Pick<Surroundings, "environment" | "userId">;
};

/** The sources of a command's settings. Root owns this machine's files, the owner of another root the files there. */
export function sourcesOf(
  paths: Paths,
  { surroundings: { environment, userId }, log }: SourceContext,
  options: Pick<SharedOptions, "endpoint" | "channel"> = { endpoint: undefined, channel: undefined },
): SettingSources {
  return { paths, environment, flags: flagFragments(options), ownerUid: isOwnRoot(paths) ? 0 : userId, log };
}

type ProxySources = Pick<SettingSources, "paths" | "environment" | "log"> & { readonly agentPaths: AgentPaths };

/** The proxies for a look at the channel. */
export function proxiesSeen({ paths, agentPaths, environment, log }: ProxySources): ProxyVariables {
  return layProxies(proxiesToSee({ paths, agentPaths }, log), proxyVariablesIn(environment));
}

/** Whether a variable sets a setting. Units do not see such a variable of a shell. The log's variables only affect the command itself. */
export function isOfShell(name: string): boolean {
  return name.startsWith("SVC_UPGRADE_") && !name.startsWith("SVC_UPGRADE_LOG_");
}

/** The command line's options, as settings. */
function flagFragments({ endpoint, channel }: Pick<SharedOptions, "endpoint" | "channel">): readonly Fragment[] {
  const flags = [
    ["--endpoint", "endpoint", endpoint],
    ["--channel", "channel", channel],
  ] as const;
  return flags.flatMap(([flag, key, value]) =>
    value === undefined ? [] : [{ origin: { kind: "flag", flag } as const, values: { [key]: value } }],
  );
}
