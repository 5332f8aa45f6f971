import type * as MergeModule from "../../../src/rules/settings/merge.ts";
import type * as EnvironmentModule from "../../../src/rules/settings/environment.ts";
import type * as AgentConfigModule from "../../../src/rules/settings/agent-config.ts";
import type * as EnvironmentFileModule from "../../../src/rules/settings/environment-file.ts";
import type { ConfigKey, MergedSettings, Settings } from "../../../src/rules/settings/settings.ts";
import { mutate, near } from "../mutate.ts";
import type { Random } from "../random.ts";
import { moduleOf } from "../source.ts";
import { taken, target, type Reading, type Target } from "../target.ts";
import { channelText, hostAndPort, hostText, instantText, urlText, versionText } from "../texts.ts";
import { mutatedJson } from "../values.ts";

/** What each key may hold, and what comes near it. */
const samples: Readonly<Record<string, (random: Random) => unknown>> = {
  endpoint: urlText,
  channel: channelText,
  agent: (random) => ({
    package: random.pick(["svc-ent", "svc-ent", "other"]),
    unit: random.pick(["svc.service", "a@b.service", "svc"]),
    version_command: commandOf(random),
    ...(random.onceIn(2) ? files(random) : {}),
  }),
  manager: (random) => random.pick(["auto", "apt", "dnf"]),
  window: (random) => (random.onceIn(4) ? random.several(0, 3, () => windowOf(random)) : windowOf(random)),
  blackouts: (random) => random.several(0, 2, () => range(random)),
  hold: (random) => random.pick([{}, { until: instantText(random), reason: "a test" }]),
  pin: (random) => ({ version: versionText(random), reason: "a test" }),
  health: (random) => ({ settle: random.pick(["30s", "10m", "11m"]), command: commandOf(random) }),
  allow_plain_http: (random) => random.pick([true, false, "true"]),
  metrics_file: (random) => random.pick(["/var/lib/metrics/svc.prom", "/tmp/svc.prom"]),
  notify: (random) => ({
    command: commandOf(random),
    credentials: random.pick([{}, { token: "/etc/token" }, { "/": "/x" }, []]),
  }),
};

function files(random: Random): object {
  return {
    schedule_file: random.pick(["/var/lib/acme/upgrade/schedule", "/etc/acme.d/schedule", "/etc/cron.d/schedule"]),
    config_file: random.pick(["/etc/acme/agent.yaml", "/etc/acme.d/agent.yaml", "/home/acme/agent.yaml"]),
    config_key: random.pick(["proxy_server", "acme.cluster.address", "acme..address"]),
    environment_file: random.pick(["/etc/acme/environment", "/etc//default/acme"]),
  };
}

function windowOf(random: Random): object {
  const days = random.pick([{}, { weekdays: ["Tue", "saturday"] }, { weekdays: ["Tues"] }]);
  if (random.onceIn(2)) return { utc_start_hour: random.below(25), ...days };
  const zone = random.pick([{}, { timezone: "Europe/Berlin" }, { timezone: "+01:00" }]);
  return { start: random.pick(["02:30", "24:00"]), duration: random.pick(["30m", "1h30m", "29m"]), ...zone, ...days };
}

function range(random: Random): object {
  const day = (): string => random.pick(["12-20", "01-02", "02-30"]);
  const date = (): string => random.pick([instantText(random), "2026-12-24", "2027-01-01 08:00", "@1798000000", "tomorrow"]);
  const zone = random.pick([{}, {}, { timezone: "Asia/Tokyo" }]);
  return { ...(random.onceIn(3) ? { from: day(), to: day() } : { from: date(), to: date() }), reason: "year's end", ...zone };
}

function commandOf(random: Random): unknown {
  return random.pick([[], ["svc", "version"], ["/usr/bin/svc"], ["bin/svc"], "svc version"]);
}

function fragment(random: Random): string {
  const names = random.several(0, random.pick([1, 2, 4]), () => random.pick(Object.keys(samples)));
  return mutatedJson(random, Object.fromEntries(names.map((name) => [name, samples[name]!(random)])));
}

/** A fragment is any value that YAML may hold; what is no JSON here is a text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

type Merged = { readonly settings: Settings; readonly again: string };

/** `again`: what the rows of the configuration show, as one fragment. */
function merged(found: MergedSettings): Reading<Merged> {
  if (found.kind === "faults")
    return { kind: "refused", told: found.faults.map(({ key, found: what, allowed }) => `${key} ${what} ${allowed}`) };
  const again: Record<string, unknown> = {};
  for (const { key, value, origin } of found.rows) {
    if (origin.kind === "built-in" || value === undefined) continue;
    const [level = key, name] = key.split(".");
    again[level] = name === undefined ? value : { ...(again[level] as object | undefined), [name]: value };
  }
  return { kind: "accepted", value: { settings: found.settings, again: JSON.stringify(again) } };
}

const settings: Target = target({
  name: "settings",
  generate: (random) => random.several(1, 2, () => fragment(random)),
  load: async (source) => {
    const { mergeSettings } = await moduleOf<typeof MergeModule>(source, "rules/settings/merge.ts");
    const origin = { kind: "file", path: "/x.yaml" } as const;
    return {
      read: (input) => merged(mergeSettings(input.map((text) => ({ origin, values: parsed(text) })))),
      print: ({ again }) => [again],
    };
  },
});

const variables =
  "ENDPOINT CHANNEL AGENT_PACKAGE AGENT_UNIT AGENT_VERSION_COMMAND MANAGER WINDOW_UTC_START_HOUR WINDOW HEALTH_SETTLE LOG_LEVEL AGENT".split(
    " ",
  );
const variableTexts = [
  "",
  " ",
  "true",
  "3",
  "03",
  "svc version",
  "30s",
  "apt",
  "default",
  "svc-ent",
  "svc.service",
  "/etc/acme/file",
];

const environment: Target = target({
  name: "settings-environment",
  generate: (random) => {
    const name = (): string => {
      const known = `SVC_UPGRADE_${random.pick(variables)}`;
      return random.onceIn(10) ? mutate(random, known) : known;
    };
    const value = near((chance) => chance.pick([urlText(chance), chance.pick(variableTexts)]));
    return Object.fromEntries(random.several(1, 3, () => [name(), value(random)] as const));
  },
  load: async (source) => {
    const { environmentFragments } = await moduleOf<typeof EnvironmentModule>(source, "rules/settings/environment.ts");
    const { mergeSettings } = await moduleOf<typeof MergeModule>(source, "rules/settings/merge.ts");
    return {
      read: (input) => {
        const { fragments, faults } = environmentFragments(input);
        return merged(mergeSettings(fragments, faults));
      },
    };
  },
});

const agentConfig: Target = target({
  name: "agent-config",
  generate: (random) => {
    const server = random.pick([urlText(random), hostAndPort(random), hostText(random)]);
    const other = { proxy_server: "other.example:443" };
    const config = random.pick([
      { proxy_server: server },
      { acme: { cluster: { address: server } } },
      { acme: { cluster: server }, ...other },
      { svc: { proxy_server: server, nodename: "x" }, ...other },
    ]);
    return { text: mutatedJson(random, config), key: random.pick([undefined, ["acme", "cluster", "address"]]) };
  },
  load: async (source) => {
    const { agentEndpoint } = await moduleOf<typeof AgentConfigModule>(source, "rules/settings/agent-config.ts");
    return {
      read: ({ text, key }) => {
        const found = agentEndpoint(parsed(text), key as ConfigKey | undefined);
        if (found.kind === "endpoint") return taken<string>(found.endpoint);
        return taken<string>(undefined, found.kind === "absent" ? [] : [`${found.key} ${found.found}`]);
      },
      print: (value) => ({ text: JSON.stringify({ proxy_server: value }), key: undefined }),
    };
  },
});

function environmentFileText(random: Random): string {
  const values = [
    "http://proxy.example:3128",
    "'a b'",
    '"a\\"b"',
    "a\\\nb",
    "'x' \"y\" z",
    '"$a\\n\\`"',
    "b\\ ",
    "'open",
    '"open',
    "é",
  ];
  const names = ["HTTPS_PROXY=", " A = ", "export B=", "# c\\", "no line", "=", "1A="];
  const line = (): string => random.pick(names) + random.pick(values);
  return random.several(1, 5, line).join(random.pick(["\n", "\n", "\r\n", "\r"]));
}

const environmentFile: Target = target({
  name: "environment-file",
  generate: near(environmentFileText),
  load: async (source) => {
    const { environmentFile: print, parseEnvironmentFile } = await moduleOf<typeof EnvironmentFileModule>(
      source,
      "rules/settings/environment-file.ts",
    );
    return {
      read: (input) => {
        const found = parseEnvironmentFile(input);
        // Without a variable it says nothing.
        return taken(Object.keys(found).length === 0 ? undefined : found);
      },
      // What is printed has one line for each variable.
      print: (value) => (Object.values(value).some((text) => /[\n\r]/.test(text)) ? undefined : print(value)),
    };
  },
});

export const settingsTargets: readonly Target[] = [settings, environment, agentConfig, environmentFile];
