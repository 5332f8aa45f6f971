import { expect, test } from "vitest";
import { parseChannelName } from "../../../src/rules/channel/path.ts";
import { policyOf } from "../../../src/updater/plan/host-policy.ts";
import type { PackageName, Settings, UnitName } from "../../../src/rules/settings/settings.ts";
import { version } from "../../rules/version/given.ts";
import { now } from "./given.ts";

const decisive = {
  holds: "override",
  hold: { until: now, reason: "a fair" },
  pin: { version: version("15.4.6"), reason: undefined },
  window: { hourly: [{ utcStartHour: 2, weekdays: [5] }], spans: [], local: [] },
  blackouts: [{ from: now, to: now + 1, reason: undefined }],
  unscheduled: "wait",
  downgrade: "allow",
  major: "one-step",
} as const;

const settings: Settings = {
  ...decisive,
  endpoint: undefined,
  channel: parseChannelName("default")!,
  agent: {
    package: "svc-ent" as PackageName,
    unit: "svc.service" as UnitName,
    versionCommand: ["svc", "version"],
    activate: "reload-or-restart",
  },
  agentFiles: {
    schedule: { onHost: "/etc/svc-upgrade.d/schedule" },
    config: { onHost: "/etc/svc.yaml" },
    configKey: undefined,
    environment: { onHost: "/etc/default/svc" },
  },
  manager: "auto",
  health: { settleSeconds: 30, command: [] },
  keepPrevious: "prefer",
  caFile: undefined,
  allowPlainHttp: false,
  localBlackouts: [],
  metricsFile: undefined,
  notify: { command: [], credentials: [] },
};

test("the policy is what the settings decide, and what was asked of this pass", () => {
  const asked = { when: "now", absent: "install" } as const;
  expect(policyOf(settings, asked)).toEqual({ ...decisive, asked, moveTakes: { atLeastSeconds: 600, atMostSeconds: 2700 } });
});
