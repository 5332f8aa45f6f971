import { expect, test } from "vitest";
import { explainSettingFaults, originText, settingsFault } from "../../../src/rules/settings/explain.ts";
import { mergeSettings } from "../../../src/rules/settings/merge.ts";
import type { Fragment, SettingFault } from "../../../src/rules/settings/settings.ts";

function faultsOf(...fragments: readonly Fragment[]): readonly SettingFault[] {
  const merged = mergeSettings(fragments);
  return merged.kind === "faults" ? merged.faults : [];
}

const faults = faultsOf(
  { origin: { kind: "file", path: "/etc/svc-upgrade/10-x.yaml" }, values: { agnt: {}, manager: "dnf" } },
  { origin: { kind: "environment", variable: "SVC_UPGRADE_HOLDS" }, values: { holds: "no" } },
  { origin: { kind: "flag", flag: "--channel" }, values: { channel: "a b" } },
  { origin: { kind: "file", path: "/etc/svc-upgrade/20-y.yaml" }, values: [] },
);

const lines = [
  "/etc/svc-upgrade/10-x.yaml: agnt: unknown key, did you mean agent? (allowed: endpoint, channel, agent, manager, holds, window, blackouts, " +
    "unscheduled, downgrade, major, hold, pin, health, keep_previous, ca_file, allow_plain_http, metrics_file, notify)",
  '/etc/svc-upgrade/10-x.yaml: manager: "dnf" (allowed: auto, apt, yum or zypper)',
  'SVC_UPGRADE_HOLDS: holds: "no" (allowed: respect or override)',
  '--channel: channel: "a b" (allowed: words of letters, digits, dot, underscore and hyphen, joined by slashes, for example default or stable/cloud)',
  "/etc/svc-upgrade/20-y.yaml: a list (allowed: a mapping of endpoint, channel, agent, manager, holds, window, blackouts, unscheduled, downgrade, " +
    "major, hold, pin, health, keep_previous, ca_file, allow_plain_http, metrics_file, notify)",
];

test("every fault is one line that says where, which key, what was found and what is allowed", () => {
  expect(explainSettingFaults(faults).split("\n")).toEqual(lines);
});

test("several faults are one Fault", () => {
  const fault = settingsFault(faults);
  expect(fault.code).toBe("settings-invalid");
  expect(fault.message).toBe(`5 settings are wrong:\n${lines.join("\n")}`);
  expect(fault.hint).toContain("svc-upgrade config");
});

test("one fault is one line", () => {
  expect(settingsFault(faults.slice(1, 2)).message).toBe(`a setting is wrong: ${lines[1]}`);
});

test("a value that nobody gave is built-in", () => {
  expect(originText({ kind: "built-in" })).toBe("built-in");
});
