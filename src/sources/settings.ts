import { Fault } from "../fault/fault.ts";
import type { Log } from "../host/log.ts";
import type { Paths } from "../host/paths.ts";
import { readForeignFile } from "../host/reach.ts";
import { readYaml } from "../host/read-yaml.ts";
import { agentEndpoint } from "../settings/agent-config.ts";
import { environmentFragments } from "../settings/environment.ts";
import { settingsFault } from "../settings/explain.ts";
import { mergeSettings } from "../settings/merge.ts";
import type { Endpoint, Fragment, MergedSettings, SettingFault, SettingRow, Settings } from "../settings/settings.ts";
import { flawOf, readSettingsFiles } from "../store/settings-files.ts";

export type SettingSources = {
  readonly paths: Paths;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** From the command line. */
  readonly flags: readonly Fragment[];
  /** Who must own the files: root, except below another root that belongs to its user. */
  readonly ownerUid: number;
  readonly log: Log;
};

export type PreparedSettings = {
  readonly settings: Settings;
  readonly rows: readonly SettingRow[];
  /** Files that this user may not read, and that may therefore name the endpoint. */
  readonly denied: readonly string[];
};

/** The settings of all sources, the agent's own configuration included where nothing else names the endpoint. */
export async function prepare(sources: SettingSources): Promise<PreparedSettings> {
  const { paths, environment, flags, ownerUid, log } = sources;
  const files = await readSettingsFiles(paths.settingsDirectories, ownerUid);
  if (files.untrusted !== undefined) throw files.untrusted;
  for (const path of files.denied) log("warning", "a settings file may not be read by this user and is left out", { path });
  const variables = environmentFragments(environment);
  const fragments = [...files.fragments, ...variables.fragments, ...flags];
  const faults = [...files.faults, ...variables.faults];
  const merged = mergeSettings(fragments, faults);
  if (merged.kind === "faults" || merged.settings.endpoint !== undefined) return { ...taken(merged), denied: files.denied };
  const agent = await readAgentConfig(paths.agentConfig, ownerUid);
  if (agent.kind === "denied") return { ...taken(merged), denied: [...files.denied, paths.agentConfig] };
  return { ...taken(mergeSettings([...agent.fragments, ...fragments], [...faults, ...agent.faults])), denied: files.denied };
}

/** No world-wide default: a host that asks the wrong cluster would follow it. */
export function endpointOf({ settings, denied }: PreparedSettings, { agentConfig }: Paths): Endpoint {
  if (settings.endpoint !== undefined) return settings.endpoint;
  if (denied.length > 0) {
    throw new Fault("not-permitted", {
      message: `no endpoint is set where this user may read; ${denied.join(" and ")} may name it and cannot be read`,
      hint: "run this as root, or write the endpoint where all may read it: sudo svc-upgrade enroll --endpoint https://proxy.example.com",
    });
  }
  throw new Fault("endpoint-missing", {
    message: `no endpoint is set: no file below /etc/svc-upgrade has one, and ${agentConfig} has no proxy_server`,
    hint: "say where the cluster is: sudo svc-upgrade enroll --endpoint https://proxy.example.com",
  });
}

function taken(merged: MergedSettings): Pick<PreparedSettings, "settings" | "rows"> {
  if (merged.kind === "faults") throw settingsFault(merged.faults);
  return merged;
}

type AgentConfig =
  | { readonly kind: "denied" }
  | { readonly kind: "read"; readonly fragments: readonly Fragment[]; readonly faults: readonly SettingFault[] };

/** A whole configuration of an agent with many resources; larger than this it is something else. */
const agentConfigCapBytes: number = 1024 * 1024;

/** A file that another user could write is not even parsed: whoever names the endpoint chooses among the versions on offer. */
export async function readAgentConfig(path: string, ownerUid: number): Promise<AgentConfig> {
  const reading = readForeignFile(path, { capBytes: agentConfigCapBytes, links: "follow" });
  switch (reading.kind) {
    case "missing":
      return { kind: "read", fragments: [], faults: [] };
    case "denied":
      return { kind: "denied" };
    case "refused":
      return refused(path, { key: "", found: reading.why, allowed: "a regular file of at most 1 MiB" });
    case "read": {
      const flaw = flawOf(reading, ownerUid);
      if (flaw !== undefined) return refused(path, { key: "", found: `a file that ${flaw}`, allowed: trusted(ownerUid) });
      const yaml = await readYaml(reading.text);
      if (yaml.kind === "refused") return refused(path, { key: "", found: yaml.why, allowed: "a YAML file" });
      const found = agentEndpoint(yaml.value);
      if (found.kind === "refused") return refused(path, { key: found.key, found: found.found, allowed: found.allowed });
      const fragments =
        found.kind === "absent" ? [] : [{ origin: { kind: "file", path } as const, values: { endpoint: found.endpoint } }];
      return { kind: "read", fragments, faults: [] };
    }
  }
}

function trusted(ownerUid: number): string {
  return `one that ${ownerUid === 0 ? "root" : `user ${ownerUid}`} alone can write, or instead of it: svc-upgrade enroll --endpoint URL`;
}

function refused(path: string, fault: Omit<SettingFault, "origin">): AgentConfig {
  return { kind: "read", fragments: [], faults: [{ origin: { kind: "file", path }, ...fault }] };
}
