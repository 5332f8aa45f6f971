import { proxyVariablesIn } from "../../../rules/route/route.ts";
import type { Configuration } from "../../server-rules/configuration.ts";
import { load, readConfigurationFile, type LoadedConfiguration, type Reader } from "../load.ts";
import type { ServerSurroundings } from "../surroundings.ts";
import { ownVersion, type Options } from "./called.ts";

export function loadFor(
  { config }: Pick<Options, "config">,
  environment: ServerSurroundings["environment"],
  reader: Reader,
): Promise<LoadedConfiguration> {
  return load(config, { ownVersion: ownVersion(), proxies: proxyVariablesIn(environment), reader });
}

export async function configurationFor({ config }: Pick<Options, "config">): Promise<Configuration> {
  return (await readConfigurationFile(config, { ownVersion: ownVersion(), reader: "caller" })).configuration;
}
