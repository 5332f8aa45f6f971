import { check } from "../../../src/rules/shape/check.ts";
import { expect, test } from "vitest";
import { agentDefaults, defaults, ownPackage } from "../../../src/rules/settings/defaults.ts";
import { settingsReference } from "../../../src/rules/settings/reference.ts";
import { isSettingKey, schema, settingKeys } from "../../../src/rules/settings/schema.ts";

test("the reference tells every key once, with its default as it would be written", () => {
  const told = settingsReference().map((row) => `${row.key} = ${row.default}`);
  expect(told).toEqual([
    "endpoint = none",
    "channel = default",
    "agent.package = svc-ent",
    "agent.unit = svc.service",
    "agent.version_command = [svc, version]",
    "agent.activate = reload-or-restart",
    "agent.schedule_file = /etc/svc-upgrade.d/schedule",
    "agent.config_file = /etc/svc.yaml",
    "agent.config_key = none",
    "agent.environment_file = /etc/default/svc",
    "manager = auto",
    "holds = respect",
    "window = none",
    "window.utc_start_hour = none",
    "window.start = none",
    "window.duration = none",
    "window.weekdays = none",
    "window.timezone = none",
    "blackouts = []",
    "unscheduled = rescue",
    "downgrade = refuse",
    "major = any",
    "hold = none",
    "pin = none",
    "health.settle = 30s",
    "health.command = []",
    "keep_previous = prefer",
    "ca_file = none",
    "allow_plain_http = false",
    "metrics_file = none",
    "notify.command = []",
    "notify.credentials = {}",
  ]);
});

test("only what one line cannot say has no variable", () => {
  const silent = settingsReference().filter((row) => row.variable === undefined);
  expect(silent.map((row) => row.key)).toEqual(["window", "blackouts", "hold", "pin", "notify.credentials"]);
});

test.each(settingsReference())("$key says what is allowed and what it means", ({ allowed, meaning }) => {
  expect(allowed).not.toBe("");
  expect(meaning).not.toBe("");
});

test.each(Object.entries({ ...defaults, ...agentDefaults(ownPackage) }))(
  "the default of %s is what reading it as written gives",
  (key, given) => {
    expect(isSettingKey(key) ? check<unknown>(schema[key].of, given.raw) : undefined).toEqual({
      kind: "value",
      value: given.value,
    });
  },
);

test("no two keys share a name on the level above, but for window, which is a value only as a list", () => {
  expect(settingKeys.filter((key) => settingKeys.some((other) => other.startsWith(`${key}.`)))).toEqual(["window"]);
  expect(isSettingKey("constructor")).toBe(false);
});
