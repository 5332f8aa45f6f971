import { expect, test } from "vitest";
import { environmentFragments, variableOf } from "../../src/settings/environment.ts";

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
