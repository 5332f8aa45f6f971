import { expect, test } from "vitest";
import { decodeBegunSettings, encodeBegunSettings } from "../../../src/updater/record/begun-settings.ts";
import { mergeSettings } from "../../../src/rules/settings/merge.ts";

const file = { kind: "file", path: "/etc/svc-upgrade/10.yaml" } as const;

test("the settings that a move began with are read again as they were", () => {
  const values = {
    endpoint: "https://proxy.test",
    agent: { package: "other", unit: "other.service", version_command: ["other", "--version"] },
    window: { utc_start_hour: 3, weekdays: ["Tue"] },
    hold: { until: "2027-01-01T00:00:00Z", reason: "a freeze" },
    health: { settle: "2s", command: ["true"] },
  };
  const first = mergeSettings([{ origin: file, values }]);
  if (first.kind === "faults") throw new Error(JSON.stringify(first.faults));
  const reading = decodeBegunSettings(encodeBegunSettings("pass", first.rows));
  if (reading.kind !== "read") throw new Error(reading.why);
  expect(reading.value.pass).toBe("pass");
  expect(mergeSettings([{ origin: file, values: reading.value.values }])).toMatchObject({ settings: first.settings });
});

test("what is built in is not among them: an earlier release would refuse a key that it does not know", () => {
  const merged = mergeSettings([{ origin: file, values: { channel: "stable", agent: { activate: "restart" } } }]);
  const reading = decodeBegunSettings(encodeBegunSettings("pass", merged.kind === "settings" ? merged.rows : []));
  expect(reading).toMatchObject({ kind: "read", value: { values: { channel: "stable", agent: { activate: "restart" } } } });
  expect(JSON.stringify(reading)).not.toContain("schedule_file");
});

test.each([
  ["[]", "the whole is not an object"],
  ['{"schema": 2, "pass": "p", "values": {}}', "schema is not 1"],
  ['{"schema": 1, "pass": "p", "values": null}', "values is not an object"],
  ['{"schema": 1, "values": {}}', "pass is not a text of at most 256 characters"],
])("%s is unreadable", (text, why) => {
  expect(decodeBegunSettings(text)).toEqual({ kind: "unreadable", why });
});
