import { check } from "../../../src/rules/shape/check.ts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agentFilesIn, mergeSettings } from "../../../src/rules/settings/merge.ts";
import { schema, settingKeys } from "../../../src/rules/settings/schema.ts";
import type { Fragment, Origin, Settings, SettingFault } from "../../../src/rules/settings/settings.ts";

const file = (path: string): Origin => ({ kind: "file", path });
const first = (values: unknown): Fragment => ({ origin: file("/usr/lib/svc-upgrade/10-first.yaml"), values });
const second = (values: unknown): Fragment => ({ origin: file("/etc/svc-upgrade/20-second.yaml"), values });

function settingsOf(...values: readonly unknown[]): Settings {
  const merged = mergeSettings(values.map((each, index) => ({ origin: file(`/${index}`), values: each })));
  if (merged.kind === "faults") throw new Error(JSON.stringify(merged.faults));
  return merged.settings;
}

function faultsOf(...fragments: readonly Fragment[]): readonly SettingFault[] {
  const merged = mergeSettings(fragments);
  return merged.kind === "faults" ? merged.faults : [];
}

const builtIn: Settings = {
  endpoint: undefined,
  channel: "default",
  agent: { package: "svc-ent", unit: "svc.service", versionCommand: ["svc", "version"], activate: "reload-or-restart" },
  agentFiles: {
    schedule: { onHost: "/etc/svc-upgrade.d/schedule" },
    config: { onHost: "/etc/svc.yaml" },
    configKey: undefined,
    environment: { onHost: "/etc/default/svc" },
  },
  manager: "auto",
  holds: "respect",
  window: undefined,
  blackouts: [],
  localBlackouts: [],
  unscheduled: "rescue",
  downgrade: "refuse",
  major: "any",
  hold: undefined,
  pin: undefined,
  health: { settleSeconds: 30, command: [] },
  keepPrevious: "prefer",
  caFile: undefined,
  allowPlainHttp: false,
  metricsFile: undefined,
  notify: { command: [], credentials: [] },
} as unknown as Settings;

const exporter = { package: "prometheus-node-exporter", unit: "prometheus-node-exporter.service" };
const hourOf = (utcStartHour: number, ...weekdays: readonly number[]): object => ({
  hourly: [{ utcStartHour, weekdays }],
  local: [],
  spans: [],
});
const range = (from: unknown, to: unknown, reason?: string): object => ({ from, to, reason });
const credential = (name: string, path: string): object => ({ name, file: path });

describe("without faults", () => {
  test.each([[[undefined]], [[null]], [[{}]]])("%j leaves the built-in settings", (fragments) => {
    expect(settingsOf(...fragments)).toEqual(builtIn);
  });

  test.each<[string, unknown, object]>([
    ["window", { window: { utc_start_hour: 0 } }, { window: hourOf(0) }],
    [
      "weekdays",
      { window: { utc_start_hour: 23, weekdays: ["Sat", "sunday", "TUE", "Saturday"] } },
      { window: hourOf(23, 0, 2, 6) },
    ],
    [
      "blackouts",
      { blackouts: [range("2026-12-24", "2026-12-27T06:00:00+01:00", "feast"), { from: "2027-01-01", to: "2027-01-02" }] },
      {
        blackouts: [range(1_798_070_400, 1_798_347_600, "feast"), { from: 1_798_761_600, to: 1_798_848_000, reason: undefined }],
      },
    ],
    ["unscheduled", { unscheduled: "anytime" }, { unscheduled: "anytime" }],
    ["downgrade", { downgrade: "allow" }, { downgrade: "allow" }],
    ["major", { major: "one-step" }, { major: "one-step" }],
    ["settle in minutes", { health: { settle: "10m" } }, { health: { settleSeconds: 600, command: [] } }],
    ["keep_previous", { keep_previous: "require" }, { keepPrevious: "require" }],
    ["ca_file", { ca_file: "/etc/ssl/our ca.pem" }, { caFile: "/etc/ssl/our ca.pem" }],
    ["metrics below no /tmp", { metrics_file: "/var/tmpfiles/svc.prom" }, { metricsFile: "/var/tmpfiles/svc.prom" }],
    [
      "a command that is told of events",
      { notify: { command: ["curl"], credentials: { token: "/etc/token", "a-b.c": "/x" } } },
      { notify: { command: ["curl"], credentials: [credential("token", "/etc/token"), credential("a-b.c", "/x")] } },
    ],
    ["plain http here", { endpoint: "http://127.0.0.1:3080" }, { endpoint: "http://127.0.0.1:3080" }],
    [
      "plain http allowed",
      { endpoint: "http://proxy.example.com", allow_plain_http: true },
      { endpoint: "http://proxy.example.com", allowPlainHttp: true },
    ],
    [
      "the own package by its name",
      { agent: { package: "svc-ent", activate: "restart" } },
      { agent: { ...builtIn.agent, activate: "restart" } },
    ],
    ["another package", { agent: exporter }, { agent: { ...exporter, versionCommand: [], activate: "restart" } }],
    [
      "another package, all of it",
      { agent: { package: "x+y", unit: "x@1.service", version_command: ["x", "-V"], activate: "reload-or-restart" } },
      { agent: { package: "x+y", unit: "x@1.service", versionCommand: ["x", "-V"], activate: "reload-or-restart" } },
    ],
    ["no version command", { agent: { version_command: [] } }, { agent: { ...builtIn.agent, versionCommand: [] } }],
  ])("%s", (_title, values, expected) => {
    expect(settingsOf(values)).toEqual({ ...builtIn, ...expected });
  });

  test("a later fragment wins key by key, and a list replaces a list", () => {
    const settings = settingsOf(
      {
        channel: "one",
        agent: { package: "other", version_command: ["other", "-v"] },
        window: { utc_start_hour: 1, weekdays: ["Mon", "Tue"] },
      },
      { agent: { unit: "other.service" }, window: { weekdays: ["Sat"] } },
      { channel: "three", window: { utc_start_hour: 3 } },
    );
    expect(settings.channel).toBe("three");
    const versionCommand = ["other", "-v"];
    expect(settings.agent).toEqual({ package: "other", unit: "other.service", versionCommand, activate: "restart" });
    expect(settings.window).toEqual({ hourly: [{ utcStartHour: 3, weekdays: [6] }], local: [], spans: [] });
  });

  test("a later hold replaces the whole of an earlier one, so that its end never comes from another file", () => {
    const hold = { until: undefined, reason: undefined };
    expect(settingsOf({ hold: { until: "2026-12-24", reason: "a" } }, { hold: {} }).hold).toEqual(hold);
  });

  test("every setting has its row, with the value as it was written and where", () => {
    const merged = mergeSettings([first({ channel: "one", health: { settle: "1m" } }), second({ channel: "two" })]);
    const rows = merged.kind === "settings" ? merged.rows : [];
    expect(rows.map((row) => row.key)).toEqual(settingKeys);
    const origin = { kind: "built-in" };
    expect(["channel", "health.settle", "agent.unit", "endpoint"].map((key) => rows.find((row) => row.key === key))).toEqual([
      { key: "channel", value: "two", origin: second({}).origin },
      { key: "health.settle", value: "1m", origin: first({}).origin },
      { key: "agent.unit", value: "svc.service", origin },
      { key: "endpoint", value: undefined, origin },
    ]);
  });
});

describe("with faults", () => {
  test.each<[unknown, string, string]>([
    [{ "bad\nkey": 1 }, "bad key", "unknown key"],
    [{ constructor: 1 }, "constructor", "unknown key"],
    [{ health: { unit: "x.service" } }, "health.unit", "unknown key, did you mean agent.unit?"],
    [{ "agent.package": "x" }, "agent.package", "unknown key, did you mean agent: {package: …}?"],
    [{ agent: null }, "agent", "nothing"],
    [{ agent: { package: "-rf" } }, "agent.package", '"-rf"'],
    [{ agent: { package: "x".repeat(129) } }, "agent.package", `"${"x".repeat(60)}…"`],
    [{ agent: { unit: "svc" } }, "agent.unit", '"svc"'],
    [{ agent: { unit: "svc.timer" } }, "agent.unit", '"svc.timer"'],
    [{ agent: { unit: `${"x".repeat(202)}.service` } }, "agent.unit", `"${"x".repeat(60)}…"`],
    [{ agent: { unit: `a@${"x".repeat(41)}.service` } }, "agent.unit", `"a@${"x".repeat(41)}.service"`],
    [{ agent: { unit: "svc@.service" } }, "agent.unit", '"svc@.service"'],
    [{ agent: { unit: "--now.service" } }, "agent.unit", '"--now.service"'],
    [{ agent: { version_command: "svc version" } }, "agent.version_command", '"svc version"'],
    [{ agent: { version_command: ["svc", ""] } }, "agent.version_command[1]", '""'],
    [{ agent: { version_command: ["svc", "a\0b"] } }, "agent.version_command[1]", '"a b"'],
    [{ agent: { version_command: ["-c"] } }, "agent.version_command[0]", '"-c"'],
    [{ agent: { version_command: ["bin/svc"] } }, "agent.version_command[0]", '"bin/svc"'],
    [{ agent: { version_command: ["/"] } }, "agent.version_command[0]", '"/"'],
    [{ agent: { version_command: Array.from({ length: 33 }, () => "x") } }, "agent.version_command", "a list of 33"],
    [{ window: { utc_start_hour: 3, weekdays: ["Sat", "Caturday"] } }, "window.weekdays[1]", '"Caturday"'],
    [{ window: { weekdays: ["Sat"] } }, "window.utc_start_hour", "nothing"],
    [{ unscheduled: "never" }, "unscheduled", '"never"'],
    [{ hold: { reason: "a\nb" } }, "hold.reason", '"a b"'],
    [{ health: { settle: "05s" } }, "health.settle", '"05s"'],
    [{ health: { settle: "601s" } }, "health.settle", '"601s"'],
    [{ ca_file: "/etc/ssl/" }, "ca_file", '"/etc/ssl/"'],
    [{ ca_file: `/${"x".repeat(5000)}` }, "ca_file", `"/${"x".repeat(59)}…"`],
    [{ metrics_file: "https://ann:hunter2@a.example/" }, "metrics_file", "a text with credentials (not shown)"],
    [{ metrics_file: "/var/lib/svc-upgrade-decide/state.json" }, "metrics_file", '"/var/lib/svc-upgrade-decide/state.json"'],
    [{ metrics_file: "/tmp/svc.prom" }, "metrics_file", '"/tmp/svc.prom"'],
    [{ metrics_file: "//var//tmp/m/svc.prom" }, "metrics_file", '"//var//tmp/m/svc.prom"'],
    [{ notify: { credentials: ["/etc/token"] } }, "notify.credentials", "a list"],
    [{ notify: { credentials: { "to/ken": "/etc/token" } } }, "notify.credentials", 'the name "to/ken"'],
    [{ notify: { credentials: { token: "token" } } }, "notify.credentials.token", '"token"'],
    [{ notify: { credentials: { token: "/etc/%H" } } }, "notify.credentials.token", '"/etc/%H"'],
    [{ notify: { credentials: { token: "/etc/a b" } } }, "notify.credentials.token", '"/etc/a b"'],
    [{ notify: { credentials: { token: 5 } } }, "notify.credentials.token", "5"],
    [
      { notify: { credentials: Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`t${at}`, "/etc/t"])) } },
      "notify.credentials",
      "a mapping of 17",
    ],
    [{ endpoint: "http://proxy.example.com" }, "endpoint", '"http://proxy.example.com"'],
    [{ agent: { package: "other" } }, "agent.unit", "nothing"],
    [
      { agent: { schedule_file: "/etc/schedule" } },
      "agent.schedule_file",
      '"/etc/schedule", whose directory (/etc) is not one for it alone',
    ],
    [{ agent: { config_file: "/home/a/b" } }, "agent.config_file", '"/home/a/b", and /home is closed to the updater\'s units'],
    [
      { agent: { schedule_file: "/opt/acme/schedule", config_file: "/opt/acme/agent.yaml" } },
      "agent.config_file",
      '"/opt/acme/agent.yaml"',
    ],
    [{ agent: { environment_file: "/etc/svc-upgrade.d/x/y" } }, "agent.environment_file", '"/etc/svc-upgrade.d/x/y"'],
  ])("%j: %s, %s", (values, key, found) => {
    const { origin } = second(values);
    expect(faultsOf(second(values))).toEqual([{ origin, key, found, allowed: expect.stringMatching(/.{3}/) }]);
  });

  test.each<[unknown, string]>([
    [{ agent: { unit: "svc" } }, "the whole name of a service, perhaps svc.service"],
    [{ agent: { unit: "svc.timer" } }, "the name of a systemd service, for example svc.service"],
    [{ agent: { package: "other" } }, "the service that runs other, for example other.service"],
    [
      { agent: [] },
      "a mapping of package, unit, version_command, activate, schedule_file, config_file, config_key, environment_file",
    ],
    [{ agent: { x: 1 } }, "package, unit, version_command, activate, schedule_file, config_file, config_key, environment_file"],
    [{ endpoint: "proxy.example.com:443" }, "a base URL, perhaps https://proxy.example.com:443"],
    [{ endpoint: "http://proxy.example.com" }, "https, or http on this very host, or http with allow_plain_http: true"],
    [{ hold: { x: 1 } }, "until, reason"],
    [{ pin: { version: "x" } }, "a version with all three numbers, for example 15.4.6"],
    [{ hold: { until: "x" } }, 'a date or a time with its offset, for example "2026-12-24" or "2026-12-24T18:00:00Z"'],
    [{ blackouts: [{ from: "2026-12-24", to: "2026-12-23" }] }, 'an instant after from, "2026-12-24"'],
    [{ manager: "dnf" }, "auto, apt, yum or zypper"],
  ])("%j is told what is allowed: %s", (values, allowed) => {
    expect(faultsOf(second(values)).map((fault) => fault.allowed)).toEqual([allowed]);
  });

  test("all faults of all fragments come at once, overridden ones too, after those that were found before", () => {
    const earlier: SettingFault = { origin: file("/etc/svc-upgrade/05.yaml"), key: "", found: "no YAML", allowed: "YAML" };
    const merged = mergeSettings(
      [
        first({ channel: "a b", agent: { unit: 5, color: 1 }, blackouts: [{ to: 1 }, 2] }),
        second({ channel: "fine", endpoint: "http://proxy.example.com", window: { weekdays: ["Xday", "Yday"] } }),
      ],
      [earlier],
    );
    expect(merged.kind === "faults" ? merged.faults.map((fault) => fault.key).join(" ") : "").toBe(
      " channel agent.unit agent.color blackouts[0].to blackouts[0].from blackouts[1] window.weekdays[0] window.weekdays[1] endpoint",
    );
  });

  test.each([
    [{ agent: { package: "other", unit: "other" } }, ["agent.unit"]],
    [{ window: { utc_start_hour: 99, weekdays: ["Sat"] } }, ["window.utc_start_hour"]],
    [{ endpoint: "http://proxy.example.com", allow_plain_http: "yes" }, ["allow_plain_http"]],
  ])("%j: a key that is wrong by itself is not called missing as well", (values, keys) => {
    expect(faultsOf(second(values)).map((fault) => fault.key)).toEqual(keys);
  });

  test("the fault of a key that is missing names the fragment that made it necessary", () => {
    for (const [values, more, key] of [
      [{ agent: { package: "other" } }, { channel: "x" }, "agent.unit"],
      [{ window: { weekdays: [] } }, { channel: "x" }, "window.utc_start_hour"],
      [{ endpoint: "http://a.example" }, { allow_plain_http: false }, "endpoint"],
    ] as const)
      expect(faultsOf(first(values), second(more))).toMatchObject([{ key, origin: first(values).origin }]);
  });
});

describe("whatever the fragments hold", () => {
  const nested = fc
    .constantFrom(...settingKeys)
    .chain((key) =>
      fc.anything().map((value) => key.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)),
    );

  test("merging ends in settings or in faults that say where and what", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(nested, fc.anything()), { maxLength: 4 }), (values) => {
        const merged = mergeSettings(values.map(second));
        const faults = merged.kind === "faults" ? merged.faults : [];
        expect(merged.kind === "settings" || faults.length > 0).toBe(true);
        expect(faults.every(({ found, allowed }) => found !== "" && allowed !== "")).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test("no fault ever shows the password of an endpoint", () => {
    const start = fc.constantFrom("https://", "http://", "", "ftp://", "https:");
    fc.assert(
      fc.property(start, fc.string(), fc.constantFrom(...settingKeys), (scheme, noise, key) => {
        const value = `${scheme}ann:hunter2${noise}@proxy.example.com`;
        const shown = check<unknown>(schema[key].of, value);
        expect(JSON.stringify([shown, faultsOf(second({ endpoint: value, [noise]: value }))])).not.toContain("hunter2");
      }),
    );
  });

  test("a fragment that says what already holds changes nothing", () => {
    const channel = fc.constantFrom("default", "stable/cloud", "edge");
    fc.assert(
      fc.property(fc.array(channel, { minLength: 1 }), (channels) => {
        const values = channels.map((name) => ({ channel: name }));
        expect(settingsOf(...values)).toEqual(settingsOf(...values, values.at(-1)));
        expect(settingsOf(...values).channel).toBe(channels.at(-1));
      }),
    );
  });
});

test("the agent's files come from the valid values, whatever else is wrong", () => {
  const fragments = [first({ agent: { config_file: "/etc/other.yaml" }, chanel: "edge" })];
  expect(faultsOf(...fragments).map(({ key }) => key)).toEqual(["chanel"]);
  expect(agentFilesIn(fragments)).toEqual({ ...builtIn.agentFiles, config: { onHost: "/etc/other.yaml" } });
});
