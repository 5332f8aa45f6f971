import type { ChannelName } from "../channel/path.ts";
import { usualEnvironmentFile } from "../route/proxy.ts";
import type { FileOnHost } from "./settings.ts";
import type { SettingKey, SettingValues } from "./schema.ts";
import type { Origin, PackageName, UnitName } from "./settings.ts";

export type GivenValue<Value> = { readonly value: Value; readonly raw: unknown; readonly origin: Origin };

export type GivenValues = { readonly [Key in SettingKey]?: GivenValue<SettingValues[Key]> };

type Defaults<Key extends SettingKey> = { readonly [Each in Key]: GivenValue<SettingValues[Each]> };

/** The package for which the updater was made. The defaults of `agent` are for this package only. */
export const ownPackage: PackageName = "svc-ent" as PackageName;

export const builtIn: Origin = { kind: "built-in" };

export const defaults: Defaults<
  | "channel"
  | "agent.package"
  | "agent.schedule_file"
  | "agent.config_file"
  | "agent.environment_file"
  | "manager"
  | "holds"
  | "blackouts"
  | "unscheduled"
  | "downgrade"
  | "major"
  | "health.settle"
  | "health.command"
  | "keep_previous"
  | "allow_plain_http"
  | "notify.command"
  | "notify.credentials"
> = {
  channel: given("default" as ChannelName),
  "agent.package": given(ownPackage),
  "agent.schedule_file": file("/etc/svc-upgrade.d/schedule"),
  "agent.config_file": file("/etc/svc.yaml"),
  "agent.environment_file": file(usualEnvironmentFile),
  manager: given("auto"),
  holds: given("respect"),
  blackouts: given([]),
  unscheduled: given("rescue"),
  downgrade: given("refuse"),
  major: given("any"),
  "health.settle": { value: 30, raw: "30s", origin: builtIn },
  "health.command": given([]),
  keep_previous: given("prefer"),
  allow_plain_http: given(false),
  "notify.command": given([]),
  "notify.credentials": { value: [], raw: {}, origin: builtIn },
};

export type AgentDefaults = Defaults<"agent.version_command" | "agent.activate"> & Partial<Defaults<"agent.unit">>;

/** The defaults for a package. Another package's unit has to be configured; a restart works with every service. */
export function agentDefaults(name: PackageName): AgentDefaults {
  if (name !== ownPackage) return { "agent.version_command": given([]), "agent.activate": given("restart") };
  return {
    "agent.unit": given("svc.service" as UnitName),
    "agent.version_command": given(["svc", "version"]),
    "agent.activate": given("reload-or-restart"),
  };
}

function file(path: string): GivenValue<FileOnHost> {
  return { value: { onHost: path }, raw: path, origin: builtIn };
}

function given<Value>(value: Value): GivenValue<Value> {
  return { value, raw: value, origin: builtIn };
}
