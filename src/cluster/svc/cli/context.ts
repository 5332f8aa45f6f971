import type { Given } from "../../../machine/command-line/row.ts";
import { build } from "../../../machine/program/program-build.ts";
import type { Log } from "../../../machine/logging/log.ts";
import { proxyVariablesIn } from "../../../rules/route/route.ts";
import { defaultConfig } from "../../../proxy/server/cli/unit-command.ts";
import type { Reader } from "../../../proxy/server/load.ts";
import type { ServerSurroundings } from "../../../proxy/server/surroundings.ts";
import { parseVersion, type Version } from "../../../rules/version/version.ts";
import { seePod } from "../../../kube/api-server/in-pod.ts";
import { loadServices, type LoadedServices } from "../load.ts";

export type Options = {
  readonly config: string;
  /** Else it is the one that there is unless another is named. */
  readonly isConfigNamed: boolean;
  readonly pidFile: string | undefined;
  readonly json: boolean;
  readonly logFormat: string | undefined;
  readonly logLevel: string | undefined;
};

export function optionsIn(given: Given): Options {
  const config = given.text("config");
  return {
    config: config ?? defaultConfig,
    isConfigNamed: config !== undefined,
    pidFile: given.text("pidFile"),
    json: given.format === "json",
    logFormat: given.text("logFormat"),
    logLevel: given.text("logLevel"),
  };
}

/** What a command works with. */
export type SvcContext = { readonly surroundings: ServerSurroundings; readonly log: Log };

/** The same, with what was typed. */
export type SvcCalled = { readonly options: Options; readonly context: SvcContext };

export function loadFor({ config }: Pick<Options, "config">, { environment }: ServerSurroundings): Promise<LoadedServices> {
  const missing = config === defaultConfig ? "plain-host" : "fault";
  return loadServices(
    { path: config, missing },
    {
      ownVersion: ownVersion(),
      proxies: proxyVariablesIn(environment),
      reader: readerIn(environment),
      pod: () => seePod(environment),
    },
  );
}

/** systemd names the invocation to what runs in its units. */
function readerIn(environment: ServerSurroundings["environment"]): Reader {
  return (environment["INVOCATION_ID"] ?? "") === "" || process.geteuid?.() === 0 ? "caller" : "unit";
}

/** The build's version is one: packaging refuses any other. */
function ownVersion(): Version {
  const version = parseVersion(build.version);
  if (version === undefined) throw new Error(`the build's version ${build.version} is none`);
  return version;
}
