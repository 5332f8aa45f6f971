import type { Blackout } from "../decide/gate-policy.ts";
import { quote } from "../text/quote.ts";
import { collect } from "./collect.ts";
import { agentDefaults, builtIn, defaults, type AgentDefaults, type GivenValues } from "./defaults.ts";
import { isPlainHttpAbroad } from "./endpoint.ts";
import { isLocal } from "./local-blackout.ts";
import { isWithin } from "./read-agent-files.ts";
import { settingKeys } from "./schema.ts";
import type { AgentFiles, Fragment, MergedSettings, NeededZone, SettingFault, Settings, UnitName } from "./settings.ts";
import { isLocalRule } from "./read-window.ts";
import { layOver, windowFaults, windowsIn } from "./window.ts";

/**
 * Lays fragments over the built-in defaults, the strongest last. A mapping merges key by key, a list replaces a list. Returns all faults together
 * with the earlier ones (an unknown variable, an invalid YAML file).
 */
export function mergeSettings(fragments: readonly Fragment[], earlier: readonly SettingFault[] = []): MergedSettings {
  const collected = fragments.map(collect);
  const given = givenIn(fragments, collected);
  const found = [...earlier, ...collected.flatMap((fragment) => fragment.faults)];

  const name = (given["agent.package"] ?? defaults["agent.package"]).value;
  const all: AllValues = { ...defaults, ...agentDefaults(name), ...given };
  const faults = [...found, ...faultsBetween(all, found)];
  const unit = all["agent.unit"]?.value;
  const zones = zonesIn(given);
  if (faults.length > 0 || unit === undefined) return { kind: "faults", faults, zones };

  const rows = settingKeys.map((key) => ({ key, value: all[key]?.raw, origin: all[key]?.origin ?? builtIn }));
  return { kind: "settings", settings: settingsOf(all, unit), rows, zones };
}

/** Treats each file as one source, and all variables together as one, because they have no order. */
function bySource(
  fragments: readonly Fragment[],
  collected: readonly { readonly values: GivenValues }[],
): readonly GivenValues[] {
  const sources: GivenValues[] = [];
  for (const [index, { values }] of collected.entries()) {
    const isVariable = fragments[index]?.origin.kind === "environment";
    if (isVariable && fragments[index - 1]?.origin.kind === "environment") sources.push({ ...sources.pop(), ...values });
    else sources.push(values);
  }
  return sources;
}

function zonesIn({ window: list, blackouts, ...given }: GivenValues): readonly NeededZone[] {
  const zones: NeededZone[] = [];
  const start = given["window.start"];
  const single = given["window.timezone"] ?? start;
  if (single !== undefined) {
    zones.push({ origin: single.origin, key: "window.timezone", zone: given["window.timezone"]?.value });
  }
  for (const [index, rule] of list?.value.entries() ?? []) {
    if (list !== undefined && isLocalRule(rule))
      zones.push({ origin: list.origin, key: `window[${index}].timezone`, zone: rule.timezone });
  }
  for (const [index, range] of blackouts?.value.entries() ?? []) {
    if (blackouts !== undefined && isLocal(range))
      zones.push({ origin: blackouts.origin, key: `blackouts[${index}].timezone`, zone: range.timezone });
  }
  return zones;
}

function givenIn(fragments: readonly Fragment[], collected: readonly { readonly values: GivenValues }[]): GivenValues {
  return bySource(fragments, collected).reduce<GivenValues>(layOver, {});
}

type AllValues = GivenValues & typeof defaults & AgentDefaults;

/** Faults that only several keys together show. Does not report a faulty key as missing too. */
function faultsBetween(all: AllValues, found: readonly SettingFault[]): readonly SettingFault[] {
  const isFaulty = (key: string): boolean => found.some((fault) => fault.key === key);
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
  faults.push(...windowFaults(all, isFaulty));
  const directory = all["agent.schedule_file"].value.onHost.replace(/\/[^/]+$/, "");
  for (const key of ["agent.config_file", "agent.environment_file"] as const) {
    const { value, origin } = all[key];
    if (!isWithin(value.onHost, directory)) continue;
    const where = `outside of ${directory}, which is the agent's user's, as agent.schedule_file lies there`;
    faults.push({ origin, key, found: `"${quote(value.onHost)}"`, allowed: `a file ${where}` });
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

/** Takes only the valid values, for reports about a host with faulty settings. */
export function agentFilesIn(fragments: readonly Fragment[]): AgentFiles {
  return filesOf({ ...defaults, ...givenIn(fragments, fragments.map(collect)) });
}

function filesOf(all: GivenValues & typeof defaults): AgentFiles {
  return {
    schedule: all["agent.schedule_file"].value,
    config: all["agent.config_file"].value,
    configKey: all["agent.config_key"]?.value,
    environment: all["agent.environment_file"].value,
  };
}

function settingsOf(all: AllValues, unit: UnitName): Settings {
  return {
    endpoint: all.endpoint?.value,
    channel: all.channel.value,
    agent: {
      package: all["agent.package"].value,
      unit,
      versionCommand: all["agent.version_command"].value,
      activate: all["agent.activate"].value,
    },
    agentFiles: filesOf(all),
    manager: all.manager.value,
    holds: all.holds.value,
    window: windowsIn(all),
    blackouts: all.blackouts.value.filter((blackout): blackout is Blackout => !isLocal(blackout)),
    localBlackouts: all.blackouts.value.filter(isLocal),
    unscheduled: all.unscheduled.value,
    downgrade: all.downgrade.value,
    major: all.major.value,
    hold: all.hold?.value,
    pin: all.pin?.value,
    health: { settleSeconds: all["health.settle"].value, command: all["health.command"].value },
    keepPrevious: all.keep_previous.value,
    caFile: all.ca_file?.value,
    allowPlainHttp: all.allow_plain_http.value,
    metricsFile: all.metrics_file?.value,
    notify: { command: all["notify.command"].value, credentials: all["notify.credentials"].value },
  };
}
