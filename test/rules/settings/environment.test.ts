import { describe, expect, test } from "vitest";
import { environmentFragments, variableOf } from "../../../src/rules/settings/environment.ts";
import { allowedFor } from "../../../src/rules/shape/allowed.ts";
import { schema, settingKeys } from "../../../src/rules/settings/schema.ts";

test.each([
  ["SVC_UPGRADE_ENDPOINT", "https://proxy.example.com", { endpoint: "https://proxy.example.com" }],
  ["SVC_UPGRADE_CHANNEL", " stable/cloud ", { channel: "stable/cloud" }],
  ["SVC_UPGRADE_AGENT_PACKAGE", "other", { agent: { package: "other" } }],
  ["SVC_UPGRADE_AGENT_VERSION_COMMAND", "svc  version", { agent: { version_command: ["svc", "version"] } }],
  ["SVC_UPGRADE_HEALTH_SETTLE", "5m", { health: { settle: "5m" } }],
  ["SVC_UPGRADE_WINDOW_UTC_START_HOUR", "5", { window: { utc_start_hour: 5 } }],
  ["SVC_UPGRADE_WINDOW_UTC_START_HOUR", "-5", { window: { utc_start_hour: "-5" } }],
  ["SVC_UPGRADE_WINDOW_WEEKDAYS", "Sat Sunday", { window: { weekdays: ["Sat", "Sunday"] } }],
  ["SVC_UPGRADE_ALLOW_PLAIN_HTTP", "true", { allow_plain_http: true }],
  ["SVC_UPGRADE_ALLOW_PLAIN_HTTP", "false", { allow_plain_http: false }],
  ["SVC_UPGRADE_ALLOW_PLAIN_HTTP", "yes", { allow_plain_http: "yes" }],
  ["SVC_UPGRADE_KEEP_PREVIOUS", "never", { keep_previous: "never" }],
])("%s=%s says %j", (variable, text, values) => {
  expect(environmentFragments({ [variable]: text })).toEqual({
    fragments: [{ origin: { kind: "environment", variable }, values }],
    faults: [],
  });
});

test.each([
  ["SVC_UPGRADE_CHANNEL", ""],
  ["SVC_UPGRADE_CHANNEL", " "],
  ["SVC_UPGRADE_CHANNEL", undefined],
  ["SVC_UPGRADE_LOG_LEVEL", "debug"],
  ["SVC_UPGRADE_LOG_FORMAT", "json"],
  ["HTTPS_PROXY", "http://proxy.example:3128"],
  ["svc_upgrade_channel", "x"],
])("%s=%s says nothing", (variable, text) => {
  expect(environmentFragments({ [variable]: text })).toEqual({ fragments: [], faults: [] });
});

test.each([
  ["SVC_UPGRADE_CHANEL", "unknown variable, did you mean SVC_UPGRADE_CHANNEL?"],
  ["SVC_UPGRADE_AGENT_UNITS", "unknown variable, did you mean SVC_UPGRADE_AGENT_UNIT?"],
  ["SVC_UPGRADE_NONSENSE", "unknown variable"],
  ["SVC_UPGRADE_HOLD", "unknown variable, did you mean SVC_UPGRADE_HOLDS?"],
  ["SVC_UPGRADE_BLACKOUTS", "unknown variable"],
])("%s is a fault that does not show its value", (variable, found) => {
  const { fragments, faults } = environmentFragments({ [variable]: "hunter2" });
  expect(fragments).toEqual([]);
  expect(faults).toEqual([
    { origin: { kind: "environment", variable }, key: "", found, allowed: expect.stringContaining("SVC_UPGRADE_ENDPOINT, ") },
  ]);
  expect(JSON.stringify(faults)).not.toContain("hunter2");
});

test("variables come in the order of their names, whatever order they were set in", () => {
  const { fragments } = environmentFragments({
    SVC_UPGRADE_MAJOR: "any",
    SVC_UPGRADE_CHANNEL: "default",
    SVC_UPGRADE_HOLDS: "respect",
  });
  expect(fragments.map(({ values }) => Object.keys(values as object))).toEqual([["channel"], ["holds"], ["major"]]);
});

test("a key's variable is its name in capitals", () => {
  expect(variableOf("agent.version_command")).toBe("SVC_UPGRADE_AGENT_VERSION_COMMAND");
});

const typedBy = [
  [{ SUDO_UID: "1000" }, "user 1000 through sudo"],
  [{ DOAS_USER: "operator" }, "operator through doas"],
  [{ PKEXEC_UID: "1000" }, "user 1000 through pkexec"],
] as const;

describe.each(typedBy)("with %j", (caller, who) => {
  test.each([
    ["agent.version_command", "/usr/bin/touch /tmp/made", "a program"],
    ["health.command", "/usr/bin/true", "a program"],
    ["ca_file", "/home/operator/ca.pem", "a file"],
    ["metrics_file", "/home/operator/svc.prom", "a file"],
  ] as const)("%s is refused without its value: what it names is started, read or written as root", (key, text, what) => {
    const variable = variableOf(key);
    const { fragments, faults } = environmentFragments({ ...caller, [variable]: text });
    expect(fragments).toEqual([]);
    expect(faults).toEqual([
      {
        origin: { kind: "environment", variable },
        key,
        found: `${what} that ${who} names`,
        allowed: "a value that root has written to a file, for example /etc/svc-upgrade/50-local.yaml",
      },
    ]);
  });

  test("all others say what they always say", () => {
    const { fragments, faults } = environmentFragments({ ...caller, SVC_UPGRADE_CHANNEL: "stable", SVC_UPGRADE_CA_FILE: "" });
    expect([fragments.map(({ values }) => values), faults]).toEqual([[{ channel: "stable" }], []]);
  });
});

test.each([{}, { SUDO_UID: "0" }, { DOAS_USER: "root" }, { PKEXEC_UID: "0" }, { SUDO_UID: "" }])(
  "with %j it is root who names programs and files",
  (caller) => {
    const { fragments, faults } = environmentFragments({ ...caller, SVC_UPGRADE_HEALTH_COMMAND: "/usr/bin/true" });
    expect([fragments.length, faults]).toEqual([1, []]);
  },
);

test("every setting that is a program or a path of a file is known as one", () => {
  const naming = settingKeys.filter((key) => /a program|an absolute path/.test(allowedFor(schema[key].of)));
  expect(naming).toEqual(settingKeys.filter((key) => schema[key].names !== undefined));
  expect(naming.join(" ")).toBe(
    "agent.version_command agent.schedule_file agent.config_file agent.environment_file health.command ca_file metrics_file notify.command",
  );
});
