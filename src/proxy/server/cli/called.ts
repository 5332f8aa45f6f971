import type { Given } from "../../../machine/command-line/row.ts";
import type { Log } from "../../../machine/logging/log.ts";
import { openLog } from "../../../machine/logging/open-log.ts";
import { build } from "../../../machine/program/program-build.ts";
import { parseVersion, type Version } from "../../../rules/version/version.ts";
import type { ServerSurroundings } from "../surroundings.ts";
import { defaultConfig } from "./unit-command.ts";

/** The typed options of svc and svc-proxy. */
export type Options = {
  readonly config: string;
  /** False if the command line names no file, so the default one counts. */
  readonly isConfigNamed: boolean;
  readonly pidFile: string | undefined;
  readonly json: boolean;
  readonly logFormat: string | undefined;
  readonly logLevel: string | undefined;
};

export type ServerContext = { readonly surroundings: ServerSurroundings; readonly log: Log };

export type Called = { readonly options: Options; readonly context: ServerContext };

export async function called(given: Given, surroundings: ServerSurroundings): Promise<Called> {
  const config = given.text("config");
  const options = {
    config: config ?? defaultConfig,
    isConfigNamed: config !== undefined,
    pidFile: given.text("pidFile"),
    json: given.format === "json",
    logFormat: given.text("logFormat"),
    logLevel: given.text("logLevel"),
  };
  return { options, context: { surroundings, log: await openLog(options, surroundings) } };
}

/** Packaging refuses a build with an invalid version. */
export function ownVersion(): Version {
  const version = parseVersion(build.version);
  if (version === undefined) throw new Error(`the build's version ${build.version} is invalid`);
  return version;
}
