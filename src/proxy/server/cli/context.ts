import type { Given } from "../../../machine/command-line/row.ts";
import { build } from "../../../machine/program/program-build.ts";
import type { Log } from "../../../machine/logging/log.ts";
import { proxyVariablesIn } from "../../../rules/route/route.ts";
import type { Configuration } from "../../server-rules/configuration.ts";
import { parseVersion, type Version } from "../../../rules/version/version.ts";
import { load, readConfigurationFile, type LoadedConfiguration, type Reader } from "../load.ts";
import type { ServerSurroundings } from "../surroundings.ts";
import { defaultConfig } from "./unit-command.ts";

export type Options = {
  readonly config: string;
  /** Else it is the one that there is unless another is named. */
  readonly isConfigNamed: boolean;
  readonly json: boolean;
  readonly logFormat: string | undefined;
  readonly logLevel: string | undefined;
};

export function optionsIn(given: Given): Options {
  const config = given.text("config");
  return {
    config: config ?? defaultConfig,
    isConfigNamed: config !== undefined,
    json: given.format === "json",
    logFormat: given.text("logFormat"),
    logLevel: given.text("logLevel"),
  };
}

/** What a command works with. */
export type ServerContext = { readonly surroundings: ServerSurroundings; readonly log: Log };

/** The same, with what was typed. */
export type ServerCalled = { readonly options: Options; readonly context: ServerContext };

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

/** The build's version is one: packaging refuses any other. */
function ownVersion(): Version {
  const version = parseVersion(build.version);
  if (version === undefined) throw new Error(`the build's version ${build.version} is none`);
  return version;
}
