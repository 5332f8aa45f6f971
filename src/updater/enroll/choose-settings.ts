import { dirname } from "node:path";
import { Fault } from "../../rules/fault/fault.ts";
import { placeBelow } from "../../machine/files/paths.ts";
import { printKey, readAgentConfig } from "../sources/settings.ts";
import { settingsFault } from "../../rules/settings/explain.ts";
import { mergeSettings } from "../../rules/settings/merge.ts";
import type {
  Endpoint,
  Fragment,
  MergedSettings,
  Origin,
  SettingFault,
  SettingRow,
  Settings,
} from "../../rules/settings/settings.ts";
import { readSettingsFiles, type SettingsFiles } from "../store/settings-files.ts";
import type { FragmentValues } from "./fragment.ts";
import { placesOf } from "./places.ts";
import type { EnrollScope } from "./scope.ts";

/** What the command line gave. */
export type WantedEnrolment = {
  readonly endpoint: string | undefined;
  readonly channel: string | undefined;
  readonly package: string | undefined;
  readonly unit: string | undefined;
};

export type Chosen = {
  readonly values: FragmentValues;
  /** The given values, laid over the settings of all other files. */
  readonly settings: Settings;
  readonly endpoint: Endpoint;
  /** The origin of an endpoint that was not given. */
  readonly foundIn: Origin | undefined;
  /** The settings that files with later names override. */
  readonly overruled: readonly SettingRow[];
};

/** The settings to write, checked by the settings' own rules. Reports all faults together, also those of other files. */
export async function choose(
  wanted: WantedEnrolment,
  { paths, ownerUid }: Pick<EnrollScope, "paths" | "ownerUid">,
): Promise<Chosen> {
  const path = placesOf(paths).fragment;
  const files = await readSettingsFiles(paths.settingsDirectories, ownerUid);
  if (files.untrusted !== undefined) throw files.untrusted;
  const others = files.fragments.filter((fragment) => pathOf(fragment) !== path);
  const found: Found = wanted.endpoint === undefined ? await endpointInForce(files, { root: paths.root, ownerUid }) : nothing;
  const { settings } = taken(mergeSettings([...others, ...found.fragments, ...said(wanted)], [...files.faults, ...found.faults]));
  const { endpoint } = settings;
  if (endpoint === undefined) throw noEndpoint(placeBelow(paths.root, settings.agentFiles.config), printKey(settings.agentFiles));
  const values = {
    endpoint,
    channel: wanted.channel === undefined ? undefined : settings.channel,
    package: wanted.package === undefined ? undefined : settings.agent.package,
    unit: wanted.unit === undefined ? undefined : settings.agent.unit,
  };
  return { values, settings, endpoint, foundIn: found.fragments[0]?.origin, overruled: overrule(values, path, others) };
}

type Found = { readonly fragments: readonly Fragment[]; readonly faults: readonly SettingFault[] };

const nothing: Found = { fragments: [], faults: [] };

/** The endpoint that passes use at present: from a file, or from the agent's own configuration. */
async function endpointInForce(
  { fragments }: SettingsFiles,
  { root, ownerUid }: { readonly root: string; readonly ownerUid: number },
): Promise<Found> {
  const merged = mergeSettings(fragments);
  // Faults in the files are reported with all others.
  if (merged.kind === "faults") return nothing;
  const row = merged.rows.find(({ key }) => key === "endpoint");
  if (row?.value !== undefined) return { fragments: [{ origin: row.origin, values: { endpoint: row.value } }], faults: [] };
  const { agentFiles } = merged.settings;
  const agent = await readAgentConfig(placeBelow(root, agentFiles.config), { key: agentFiles.configKey, ownerUid });
  return agent.kind === "denied" ? nothing : agent;
}

function said(wanted: WantedEnrolment): readonly Fragment[] {
  const flags = [
    ["--endpoint", wanted.endpoint, { endpoint: wanted.endpoint }],
    ["--channel", wanted.channel, { channel: wanted.channel }],
    ["--package", wanted.package, { agent: { package: wanted.package } }],
    ["--unit", wanted.unit, { agent: { unit: wanted.unit } }],
  ] as const;
  return flags.flatMap(([flag, value, values]) => (value === undefined ? [] : [{ origin: { kind: "flag", flag }, values }]));
}

function taken(merged: MergedSettings): Extract<MergedSettings, { kind: "settings" }> {
  if (merged.kind === "faults") throw settingsFault(merged.faults.map(asOption));
  return merged;
}

/** Names the missing option for a package that was given without its unit. */
function asOption(fault: SettingFault): SettingFault {
  const { origin, key } = fault;
  if (key !== "agent.unit" || origin.kind !== "flag" || origin.flag !== "--package") return fault;
  return { ...fault, origin: { kind: "flag", flag: "--unit" }, key: "" };
}

/** The settings that a later file overrides: files in a directory are read by name. */
function overrule(values: FragmentValues, path: string, others: readonly Fragment[]): readonly SettingRow[] {
  const isLater = (fragment: Fragment): boolean => pathOf(fragment).startsWith(`${dirname(path)}/`) && pathOf(fragment) > path;
  const { endpoint, channel, package: name, unit } = values;
  const agent = { ...(name === undefined ? {} : { package: name }), ...(unit === undefined ? {} : { unit }) };
  const own: Fragment = {
    origin: { kind: "file", path },
    values: { endpoint, ...(channel === undefined ? {} : { channel }), agent },
  };
  const earlier = others.filter((fragment) => !isLater(fragment));
  const { rows } = taken(mergeSettings([...earlier, own, ...others.filter(isLater)]));
  const written = new Map<string, unknown>([
    ["endpoint", endpoint],
    ["channel", channel],
    ["agent.package", name],
    ["agent.unit", unit],
  ]);
  return rows.filter(({ key, value }) => written.get(key) !== undefined && written.get(key) !== value);
}

function pathOf({ origin }: Fragment): string {
  return origin.kind === "file" ? origin.path : "";
}

function noEndpoint(agentConfig: string, key: string): Fault {
  return new Fault("usage", {
    message: `no endpoint is given, and neither a settings file nor ${agentConfig} (${key}) has one`,
    hint: "say where the cluster is: `sudo svc-upgrade enroll --endpoint https://proxy.example.com`",
  });
}
