import type { ChannelName } from "../channel/path.ts";
import type { SettingKey, SettingValues } from "./schema.ts";
import type { Origin, PackageName, UnitName } from "./settings.ts";

/** A value that was read, as it was written, and where. */
export type GivenValue<Value> = { readonly value: Value; readonly raw: unknown; readonly origin: Origin };

/** The values of some keys. */
export type GivenValues = { readonly [Key in SettingKey]?: GivenValue<SettingValues[Key]> };

type Defaults<Key extends SettingKey> = { readonly [Each in Key]: GivenValue<SettingValues[Each]> };

/** What the updater was made for; the defaults of `agent` hold for this package alone. */
export const ownPackage: PackageName = "svc-ent" as PackageName;

export const builtIn: Origin = { kind: "built-in" };

export const defaults: Defaults<
  | "channel"
  | "agent.package"
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
> = {
  channel: given("default" as ChannelName),
  "agent.package": given(ownPackage),
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
};

export type AgentDefaults = Defaults<"agent.version_command" | "agent.activate"> & Partial<Defaults<"agent.unit">>;

/** Nothing is known about another package: its unit must be told, and a restart is what every service understands. */
export function agentDefaults(name: PackageName): AgentDefaults {
  if (name !== ownPackage) return { "agent.version_command": given([]), "agent.activate": given("restart") };
  return {
    "agent.unit": given("svc.service" as UnitName),
    "agent.version_command": given(["svc", "version"]),
    "agent.activate": given("reload-or-restart"),
  };
}

function given<Value>(value: Value): GivenValue<Value> {
  return { value, raw: value, origin: builtIn };
}
