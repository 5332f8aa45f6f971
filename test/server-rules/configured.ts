import { readYaml } from "../../src/host/read-yaml.ts";
import type { Configuration } from "../../src/server-rules/configuration.ts";
import { readConfiguration, type ReadConfiguration } from "../../src/server-rules/read-configuration.ts";
import type { Origin } from "../../src/settings/settings.ts";
import { parseVersion } from "../../src/version/version.ts";

export const origin: Origin = { kind: "file", path: "/etc/svc.yaml" };

/** What a file with this text means to the server. */
export async function reading(text: string): Promise<ReadConfiguration> {
  const yaml = await readYaml(text);
  if (yaml.kind === "refused") throw new Error(yaml.why);
  return readConfiguration(yaml.value, { origin, ownVersion: parseVersion("0.1.0")!, program: "svc-proxy" });
}

export async function configured(text: string): Promise<Configuration> {
  const read = await reading(text);
  if (read.kind === "faults") throw new Error(JSON.stringify(read.faults));
  return read.configuration;
}
