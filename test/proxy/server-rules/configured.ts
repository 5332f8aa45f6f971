import { readYaml } from "../../../src/machine/yaml/read-yaml.ts";
import type { Configuration } from "../../../src/proxy/server-rules/configuration.ts";
import { readConfiguration, type ReadConfiguration } from "../../../src/proxy/server-rules/read-configuration.ts";
import type { Origin } from "../../../src/rules/settings/settings.ts";
import { parseVersion } from "../../../src/rules/version/version.ts";

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
