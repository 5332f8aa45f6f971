import { Fault } from "../../rules/fault/fault.ts";
import { readClock } from "../../machine/clocks/read-clock.ts";
import type { Log } from "../../machine/logging/log.ts";
import { agentPathsBelow, type AgentPaths, type Paths } from "../../machine/files/paths.ts";
import { readForeignFile } from "../../machine/files/foreign-file.ts";
import { readYaml } from "../../machine/yaml/read-yaml.ts";
import { agentEndpoint } from "../../rules/settings/agent-config.ts";
import type { AgentFiles, ConfigKey } from "../../rules/settings/settings.ts";
import { environmentFragments } from "../../rules/settings/environment.ts";
import { settingsFault } from "../../rules/settings/explain.ts";
import { agentFilesIn, mergeSettings } from "../../rules/settings/merge.ts";
import type { Endpoint, Fragment, MergedSettings, SettingFault, SettingRow, Settings } from "../../rules/settings/settings.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { CalendarScope } from "./calendar.ts";
import { flawOf, readSettingsFiles } from "../store/settings-files.ts";

export type SettingSources = {
  readonly paths: Paths;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly flags: readonly Fragment[];
  /** The required owner of the files: root, or the owner of another root. */
  readonly ownerUid: number;
  readonly log: Log;
  /** The moment for the local times of the settings; now if undefined. */
  readonly at?: UnixSeconds | undefined;
  /** Whose calendar to use. "none": the local times are not needed. */
  readonly calendar?: CalendarScope["calendar"] | "none";
};

export type PreparedSettings = {
  readonly settings: Settings;
  readonly agentPaths: AgentPaths;
  readonly rows: readonly SettingRow[];
  /** Files that this user may not read. One of them may name the endpoint. */
  readonly denied: readonly string[];
};

/** The settings of all sources, and the agent's own configuration if nothing else names the endpoint. */
export async function prepare(sources: SettingSources): Promise<PreparedSettings> {
  const { paths, environment, flags, ownerUid, log } = sources;
  const files = await readSettingsFiles(paths.settingsDirectories, ownerUid);
  if (files.untrusted !== undefined) throw files.untrusted;
  for (const path of files.denied) log("warning", "a settings file may not be read by this user and is left out", { path });
  const variables = environmentFragments(environment);
  const fragments = [...files.fragments, ...variables.fragments, ...flags];
  const faults = [...files.faults, ...variables.faults];
  const merged = mergeSettings(fragments, faults);
  if (merged.kind === "faults" || merged.settings.endpoint !== undefined) return taken(merged, sources, files.denied);
  const { agentFiles } = merged.settings;
  const { config } = agentPathsBelow(paths.root, agentFiles);
  const agent = await readAgentConfig(config, { key: agentFiles.configKey, ownerUid });
  if (agent.kind === "denied") return taken(merged, sources, [...files.denied, config]);
  return taken(mergeSettings([...agent.fragments, ...fragments], agent.faults), sources, files.denied);
}

/** Adds the instants of the settings' local times. */
async function taken(merged: MergedSettings, sources: SettingSources, denied: readonly string[]): Promise<PreparedSettings> {
  if (merged.kind === "faults") throw settingsFault(await faultsIn(merged, sources));
  const { paths, at, calendar = "anew", log } = sources;
  const prepared = preparedOf(merged, paths, denied);
  const { zones } = merged;
  if (calendar === "none" || zones.length === 0) return prepared;
  const { withCalendar } = await import("./calendar.ts");
  const scope = { paths, now: at ?? readClock().now, calendar, log };
  return { ...prepared, settings: await withCalendar(prepared.settings, zones, scope) };
}

/** Adds the paths that the settings name. */
export function preparedOf(merged: MergedSettings, { root }: Pick<Paths, "root">, denied: readonly string[]): PreparedSettings {
  if (merged.kind === "faults") throw settingsFault(merged.faults);
  const { settings, rows } = merged;
  return { settings, rows, agentPaths: agentPathsBelow(root, settings.agentFiles), denied };
}

/** The agent's paths by the valid settings, for commands that answer whatever is wrong with the others. */
export async function agentPathsSeen({ paths, environment, flags, ownerUid }: Omit<SettingSources, "log">): Promise<AgentPaths> {
  const files = await readSettingsFiles(paths.settingsDirectories, ownerUid);
  const variables = environmentFragments(environment);
  return agentPathsBelow(paths.root, agentFilesIn([...files.fragments, ...variables.fragments, ...flags]));
}

/** The endpoint. It has no default, because a host that asked the wrong cluster would follow it. */
export function endpointOf({ settings, denied, agentPaths }: PreparedSettings): Endpoint {
  if (settings.endpoint !== undefined) return settings.endpoint;
  if (denied.length > 0) {
    throw new Fault("not-permitted", {
      message: `no endpoint is set where this user may read; ${denied.join(" and ")} may name it and cannot be read`,
      hint: "run this as root, or write the endpoint where all may read it: `sudo svc-upgrade enroll --endpoint https://proxy.example.com`",
    });
  }
  throw new Fault("endpoint-missing", {
    message: `no endpoint is set: no file below /etc/svc-upgrade has one, and ${agentPaths.config} has no ${printKey(settings.agentFiles)}`,
    hint: "say where the cluster is: `sudo svc-upgrade enroll --endpoint https://proxy.example.com`",
  });
}

/** The key that names the endpoint in the agent's configuration. */
export function printKey({ configKey }: AgentFiles): string {
  return configKey === undefined ? "proxy_server" : configKey.join(".");
}

/** All faults of the settings, also unknown time zones. */
export async function faultsIn(
  merged: MergedSettings,
  { paths }: Pick<SettingSources, "paths">,
): Promise<readonly SettingFault[]> {
  const found = merged.kind === "faults" ? merged.faults : [];
  if (merged.zones.length === 0) return found;
  const { zoneFaults } = await import("../../machine/clocks/local-times.ts");
  return [...found, ...zoneFaults(merged.zones, paths)];
}

type AgentConfig =
  | { readonly kind: "denied" }
  | { readonly kind: "read"; readonly fragments: readonly Fragment[]; readonly faults: readonly SettingFault[] };

/** Enough for the configuration of an agent with many resources. A larger file is something else. */
const agentConfigCapBytes: number = 1024 * 1024;

type ConfigReading = { readonly key: ConfigKey | undefined; readonly ownerUid: number };

/**
 * Reads the agent's configuration. Does not even parse a file that another user could write, because that user could then choose among the offered
 * versions.
 */
export async function readAgentConfig(path: string, { key, ownerUid }: ConfigReading): Promise<AgentConfig> {
  const reading = readForeignFile(path, { capBytes: agentConfigCapBytes, links: "trusted" });
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
      const found = agentEndpoint(yaml.value, key);
      if (found.kind === "refused") return refused(path, { key: found.key, found: found.found, allowed: found.allowed });
      const fragments =
        found.kind === "absent" ? [] : [{ origin: { kind: "file", path } as const, values: { endpoint: found.endpoint } }];
      return { kind: "read", fragments, faults: [] };
    }
  }
}

function trusted(ownerUid: number): string {
  return `a file that only ${ownerUid === 0 ? "root" : `user ${ownerUid}`} can write, or instead of it: svc-upgrade enroll --endpoint URL`;
}

function refused(path: string, fault: Omit<SettingFault, "origin">): AgentConfig {
  return { kind: "read", fragments: [], faults: [{ origin: { kind: "file", path }, ...fault }] };
}
