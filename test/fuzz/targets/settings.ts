import type * as MergeModule from "../../../src/settings/merge.ts";
import type * as EnvironmentModule from "../../../src/settings/environment.ts";
import type * as AgentConfigModule from "../../../src/settings/agent-config.ts";
import type * as EnvironmentFileModule from "../../../src/settings/environment-file.ts";
import type { ConfigKey } from "../../../src/settings/settings.ts";
import { accepted, compare, finding, refused } from "../compare.ts";
import { mutate } from "../mutate.ts";
import { naiveEnvironmentFile } from "../naive/environment-file.ts";
import { naiveAgentEndpoint, naiveEnvironment, naiveSettings } from "../naive/settings.ts";
import type { Random } from "../random.ts";
import { moduleOf } from "../source.ts";
import { target, type Target } from "../target.ts";
import { bracketed, channelText, hostText, instantText, near, portText, urlText } from "../texts.ts";
import { mutatedJson } from "../values.ts";

/** What each key may hold, and what comes near it. */
const samples: Readonly<Record<string, (random: Random) => unknown>> = {
  endpoint: urlText,
  channel: channelText,
  agent: (random) => ({
    package: random.pick(["svc-ent", "svc-ent", "other", "lib++-1.0", "-x"]),
    unit: random.pick(["svc.service", "a@b.service", "svc@.service", "svc", "svc.timer"]),
    version_command: commandOf(random),
    activate: random.pick(["restart", "reload-or-restart", "reload"]),
    ...(random.onceIn(2) ? files(random) : {}),
  }),
  manager: (random) => random.pick(["auto", "apt", "yum", "zypper", "dnf"]),
  holds: (random) => random.pick(["respect", "override"]),
  window: (random) => (random.onceIn(4) ? random.several(0, 3, () => windowOf(random)) : windowOf(random)),
  blackouts: (random) => random.several(0, 2, () => range(random)),
  unscheduled: (random) => random.pick(["rescue", "wait", "anytime"]),
  downgrade: (random) => random.pick(["refuse", "allow"]),
  major: (random) => random.pick(["any", "one-step"]),
  hold: (random) => random.pick([{}, { until: date(random) }, { reason: "a test" }, { until: date(random), reason: "x" }]),
  pin: (random) =>
    random.pick([
      { version: random.pick(["15.4.6", "v15.4.6", "15.4", "015.4.6", "15.4.6-rc.1+b"]) },
      { version: "1.2.3", reason: "a" },
      {},
    ]),
  health: (random) => ({ settle: random.pick(["30s", "0s", "600s", "601s", "10m", "11m", "05s"]), command: commandOf(random) }),
  keep_previous: (random) => random.pick(["prefer", "require", "never"]),
  ca_file: (random) => random.pick(["/etc/ssl/ca.pem", "/etc/", "ca.pem", "/"]),
  allow_plain_http: (random) => random.pick([true, false, "true"]),
  metrics_file: (random) =>
    random.onceIn(8) ? random.pick(["/tmp/svc.prom", "/var/lib/svc-upgrade-decide/state.json"]) : "/var/lib/metrics/svc.prom",
  notify: (random) => ({
    command: commandOf(random),
    credentials: random.pick([
      {},
      { token: "/etc/token" },
      { "a.b-c": "/x", "/": "/x" },
      { token: "token" },
      { token: "/a b" },
      [],
    ]),
  }),
};

function files(random: Random): object {
  return {
    schedule_file: random.pick([
      "/var/lib/acme/upgrade/schedule",
      "/etc/acme.d/schedule",
      "/etc/cron.d/schedule",
      "/etc/schedule",
    ]),
    config_file: random.pick([
      "/etc/acme/agent.yaml",
      "/etc/acme.d/agent.yaml",
      "/opt/acme/../agent.yaml",
      "/home/acme/agent.yaml",
    ]),
    config_key: random.pick(["proxy_server", "acme.cluster.address", "acme..address", "a.b.c.d.e.f.g.h.i"]),
    environment_file: random.pick(["/etc/acme/environment", "/etc/default/acme", "/etc//default/acme", "/run/user/7/acme"]),
  };
}

function windowOf(random: Random): object {
  const days = random.pick([{}, { weekdays: [] }, { weekdays: ["Tue", "saturday"] }, { weekdays: ["Tues"] }]);
  if (random.onceIn(2)) return { utc_start_hour: random.onceIn(6) ? 24 : random.below(24), ...days };
  return {
    start: random.pick(["02:30", "00:00", "23:59", "24:00", "2:30"]),
    duration: random.pick(["30m", "2h", "1h30m", "24h", "29m", "25h", "1441m", "", "h"]),
    ...random.pick([{}, {}, { timezone: "Europe/Berlin" }, { timezone: "+01:00" }]),
    ...(random.onceIn(8) ? { utc_start_hour: 3 } : {}),
    ...days,
  };
}

function range(random: Random): object {
  const day = (): string => random.pick(["12-20", "01-02", "02-29", "02-30", "00-10"]);
  const ends = random.onceIn(3) ? { from: day(), to: day() } : { from: date(random), to: date(random) };
  return { ...ends, reason: "year's end", ...(random.onceIn(3) ? { timezone: random.pick(["UTC", "Asia/Tokyo", "5"]) } : {}) };
}

function commandOf(random: Random): unknown {
  return random.pick([[], ["svc", "version"], ["/usr/bin/svc"], ["bin/svc"], ["-c"], "svc version"]);
}

function date(random: Random): string {
  return random.onceIn(3)
    ? instantText(random)
    : random.pick([
        "2026-12-24",
        "2026-12-27T00:00:00Z",
        "2027-01-01",
        "2026-12-25 08:00",
        "Thu 2026-12-24 18:00 UTC",
        "tomorrow",
        "2h",
        "@1798000000",
      ]);
}

function fragment(random: Random): string {
  const names = random.several(0, random.pick([1, 2, 4]), () => random.pick(Object.keys(samples)));
  return mutatedJson(random, Object.fromEntries(names.map((name) => [name, samples[name]!(random)])));
}

/** As a file would give it: what is no JSON stays a text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const merge: Target = target({
  name: "settings",
  generate: (random) => random.several(1, 2, () => fragment(random)),
  load: async (source) => {
    const { mergeSettings } = await moduleOf<typeof MergeModule>(source, "settings/merge.ts");
    return (input) => {
      const values = input.map(parsed);
      const merged = mergeSettings(values.map((value) => ({ origin: { kind: "file", path: "/x.yaml" }, values: value })));
      const expected = naiveSettings(values);
      if (merged.kind === "settings") return compare(merged.settings, expected);
      if (merged.faults.length === 0) return finding("refused without a fault");
      return compare(undefined, expected);
    };
  },
});

const variables: readonly string[] = [
  "ENDPOINT",
  "CHANNEL",
  "AGENT_PACKAGE",
  "AGENT_UNIT",
  "AGENT_VERSION_COMMAND",
  "AGENT_ACTIVATE",
  "AGENT_SCHEDULE_FILE",
  "AGENT_CONFIG_FILE",
  "AGENT_CONFIG_KEY",
  "AGENT_ENVIRONMENT_FILE",
  "MANAGER",
  "WINDOW_UTC_START_HOUR",
  "WINDOW_START",
  "WINDOW_TIMEZONE",
  "WINDOW",
  "WINDOW_WEEKDAYS",
  "HOLD",
  "BLACKOUTS",
  "HEALTH_SETTLE",
  "ALLOW_PLAIN_HTTP",
  "CA_FILE",
  "LOG_LEVEL",
  "LOG_FORMAT",
  "AGENT",
  "MAJOR",
];

const environment: Target = target({
  name: "settings-environment",
  generate: (random) => {
    const name = (): string => {
      const known = `SVC_UPGRADE_${random.pick(variables)}`;
      return random.onceIn(10) ? mutate(random, known) : known;
    };
    const value = near((chance) =>
      chance.pick([
        "",
        " ",
        "true",
        "false",
        "3",
        "23",
        "03",
        "Tue Sat",
        "svc version",
        "30s",
        "apt",
        "default",
        "svc-ent",
        "svc.service",
        "/etc/acme/file",
        "acme.cluster.address",
        urlText(chance),
      ]),
    );
    return Object.fromEntries(random.several(1, 3, () => [name(), value(random)] as const));
  },
  load: async (source) => {
    const { environmentFragments } = await moduleOf<typeof EnvironmentModule>(source, "settings/environment.ts");
    const { mergeSettings } = await moduleOf<typeof MergeModule>(source, "settings/merge.ts");
    return (input) => {
      const { fragments, faults } = environmentFragments(input);
      const expected = naiveEnvironment(input);
      const verdict = compare(faults.length > 0 ? undefined : fragments.map(({ values }) => values), expected);
      if (verdict !== accepted || expected === undefined) return verdict;
      const merged = mergeSettings(fragments, faults);
      return compare(merged.kind === "settings" ? merged.settings : undefined, naiveSettings([inOne(expected)]));
    };
  },
});

/** Variables have no order: together they say what one file would say. */
function inOne(fragments: readonly object[]): object {
  const one: Record<string, unknown> = {};
  for (const [key, value] of fragments.flatMap((values) => Object.entries(values) as [string, unknown][])) {
    const isLevel = typeof value === "object" && value !== null && !Array.isArray(value);
    one[key] = isLevel ? { ...(one[key] as object | undefined), ...value } : value;
  }
  return one;
}

const agentConfig: Target = target({
  name: "agent-config",
  generate: (random) => {
    const server = random.pick([
      () => urlText(random),
      () => `${bracketed(hostText(random))}:${portText(random)}`,
      () => hostText(random),
    ])();
    const config = random.pick([
      { proxy_server: server },
      { acme: { cluster: { address: server } }, proxy_server: "other.example:443" },
      { acme: { cluster: server } },
      { svc: { proxy_server: server } },
      { svc: { proxy_server: server, nodename: "x" }, proxy_server: "other.example:443" },
      { svc: { nodename: "x" }, proxy_server: server, version: "v3" },
      { version: "v3" },
    ]);
    return mutatedJson(random, config);
  },
  load: async (source) => {
    const { agentEndpoint } = await moduleOf<typeof AgentConfigModule>(source, "settings/agent-config.ts");
    return (input) => {
      const config = parsed(input);
      const judged = [undefined, ["acme", "cluster", "address"] as unknown as ConfigKey].map((key) => {
        const found = agentEndpoint(config, key);
        const expected = naiveAgentEndpoint(config, key);
        if (found.kind === "absent") return expected === undefined ? refused : finding(`absent, where it is ${expected}`);
        return compare(found.kind === "endpoint" ? found.endpoint : undefined, expected ?? undefined);
      });
      return (
        judged.find((verdict) => verdict !== refused && verdict !== accepted) ??
        judged.find((verdict) => verdict === accepted) ??
        refused
      );
    };
  },
});

const environmentFile: Target = target({
  name: "environment-file",
  generate: near((random) => {
    const value = (): string =>
      random.pick([
        "http://proxy.example:3128",
        "'a b'",
        '"a\\"b"',
        "a\\\nb",
        "a b  ",
        "'x' \"y\" z",
        '"$a\\n\\`"',
        "b\\ ",
        "'open",
        '"open',
        "",
        "# no",
        "é",
      ]);
    const line = (): string =>
      random.pick([
        `HTTPS_PROXY=${value()}`,
        ` A = ${value()}`,
        `export B=${value()}`,
        "# c\\",
        "; c",
        "",
        "no line",
        "=x",
        `1A=${value()}`,
      ]);
    return random.several(1, 5, line).join(random.pick(["\n", "\n", "\r\n", "\r"]));
  }),
  load: async (source) => {
    const { parseEnvironmentFile } = await moduleOf<typeof EnvironmentFileModule>(source, "settings/environment-file.ts");
    return (input) => {
      const found = parseEnvironmentFile(input);
      const verdict = compare(found, naiveEnvironmentFile(input));
      // It is never refused: what says nothing is empty.
      return verdict === accepted && Object.keys(found).length === 0 ? refused : verdict;
    };
  },
});

export const settingsTargets: readonly Target[] = [merge, environment, agentConfig, environmentFile];
