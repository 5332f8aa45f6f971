import { collect } from "./collect.ts";
import { agentDefaults, builtIn, defaults, type AgentDefaults, type GivenValues } from "./defaults.ts";
import { isPlainHttpAbroad } from "./endpoint.ts";
import { schema, settingKeys, type SettingKey } from "./schema.ts";
import type { Fragment, MergedSettings, SettingFault, Settings, UnitName } from "./settings.ts";

/**
 * Lays fragments over the built-in defaults, the strongest last; a mapping merges key by key, a list replaces a list.
 * All faults come at once, those that were found before (an unknown variable, a file that is no YAML) among them.
 */
export function mergeSettings(fragments: readonly Fragment[], earlier: readonly SettingFault[] = []): MergedSettings {
  const collected = fragments.map(collect);
  const given = collected.reduce<GivenValues>((values, fragment) => ({ ...values, ...fragment.values }), {});
  const found = [...earlier, ...collected.flatMap((fragment) => fragment.faults)];

  const name = (given["agent.package"] ?? defaults["agent.package"]).value;
  const all: AllValues = { ...defaults, ...agentDefaults(name), ...given };
  const faults = [...found, ...faultsBetween(all, found)];
  const unit = all["agent.unit"]?.value;
  if (faults.length > 0 || unit === undefined) return { kind: "faults", faults };

  const rows = settingKeys.map((key) => ({ key, value: all[key]?.raw, origin: all[key]?.origin ?? builtIn }));
  return { kind: "settings", settings: settingsOf(all, unit), rows };
}

type AllValues = GivenValues & typeof defaults & AgentDefaults;

/** What only several keys together show; a key that is wrong by itself is not called missing as well. */
function faultsBetween(all: AllValues, found: readonly SettingFault[]): readonly SettingFault[] {
  const isFaulty = (key: SettingKey): boolean => found.some((fault) => fault.key === key);
  const faults: SettingFault[] = [];
  if (all["agent.unit"] === undefined && !isFaulty("agent.unit")) {
    const { value, origin } = all["agent.package"];
    faults.push({
      origin,
      key: "agent.unit",
      found: "nothing",
      allowed: `the service that runs ${value}, for example ${value}.service`,
    });
  }
  const weekdays = all["window.weekdays"];
  if (weekdays !== undefined && all["window.utc_start_hour"] === undefined && !isFaulty("window.utc_start_hour")) {
    const { allowed } = schema["window.utc_start_hour"];
    faults.push({ origin: weekdays.origin, key: "window.utc_start_hour", found: "nothing", allowed });
  }
  const { endpoint, allow_plain_http: allowed } = all;
  if (endpoint !== undefined && isPlainHttpAbroad(endpoint.value) && !allowed.value && !isFaulty("allow_plain_http")) {
    faults.push({
      origin: endpoint.origin,
      key: "endpoint",
      found: `"${endpoint.value}"`,
      allowed: "https, or http on this very host, or http with allow_plain_http: true",
    });
  }
  return faults;
}

function settingsOf(all: AllValues, unit: UnitName): Settings {
  const hour = all["window.utc_start_hour"];
  return {
    endpoint: all.endpoint?.value,
    channel: all.channel.value,
    agent: {
      package: all["agent.package"].value,
      unit,
      versionCommand: all["agent.version_command"].value,
      activate: all["agent.activate"].value,
    },
    manager: all.manager.value,
    holds: all.holds.value,
    window: hour === undefined ? undefined : { utcStartHour: hour.value, weekdays: all["window.weekdays"]?.value ?? [] },
    blackouts: all.blackouts.value,
    unscheduled: all.unscheduled.value,
    downgrade: all.downgrade.value,
    major: all.major.value,
    hold: all.hold?.value,
    health: { settleSeconds: all["health.settle"].value, command: all["health.command"].value },
    keepPrevious: all.keep_previous.value,
    caFile: all.ca_file?.value,
    allowPlainHttp: all.allow_plain_http.value,
    metricsFile: all.metrics_file?.value,
  };
}
