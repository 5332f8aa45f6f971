import { lstatSync } from "node:fs";
import { hostname } from "node:os";
import { parseName } from "../../rules/route/host.ts";
import {
  loadFiles,
  readConfigurationYaml,
  configurationInvalid,
  type LoadPorts as ServerPorts,
  type LoadedConfiguration,
} from "../../proxy/server/load.ts";
import { readServices } from "../services/read-services.ts";
import type { InPod } from "../../kube/objects/fields.ts";
import type { Services } from "../services/services.ts";

/** The enabled services, with files that were read and checked. */
export type LoadedServices = {
  readonly services: Services;
  readonly proxy: LoadedConfiguration | undefined;
  readonly file: "read" | "missing";
  readonly remarks: readonly string[];
};

const program = "svc";

/** The configuration file. `missing`: what its absence means. Without the default file no service is enabled, as on a plain host. */
export type ConfigurationFile = { readonly path: string; readonly missing: "plain-host" | "fault" };

type LoadPorts = ServerPorts & { readonly pod: () => InPod };

/** Throws one fault that lists every mistake. */
export async function loadServices(
  { path, missing }: ConfigurationFile,
  { ownVersion, proxies, reader, pod }: LoadPorts,
): Promise<LoadedServices> {
  const reading = { path, reader, program } as const;
  const isPlain = missing === "plain-host" && lstatSync(path, { throwIfNoEntry: false }) === undefined;
  const raw = isPlain ? {} : await readConfigurationYaml(reading);
  const read = readServices(raw, { origin: { kind: "file", path }, ownVersion, ownHost: parseName(hostname()), pod });
  if (read.kind === "faults") throw configurationInvalid(read.faults, program);
  const { services } = read;
  const proxy =
    services.proxy === undefined ? undefined : loadFiles({ configuration: services.proxy, remarks: [] }, { ...reading, proxies });
  return { services, proxy, file: isPlain ? "missing" : "read", remarks: [...read.remarks, ...(proxy?.remarks ?? [])] };
}
