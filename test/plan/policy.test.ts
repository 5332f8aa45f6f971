import { expect, test } from "vitest";
import { parseChannelName } from "../../src/channel/path.ts";
import { policyOf } from "../../src/plan/policy.ts";
import type { PackageName, Settings, UnitName } from "../../src/settings/settings.ts";
import { now } from "./given.ts";

const decisive = {
  holds: "override",
  hold: { until: now, reason: "a fair" },
  window: { utcStartHour: 2, weekdays: [5] },
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
  manager: "auto",
  health: { settleSeconds: 30, command: [] },
  keepPrevious: "prefer",
  caFile: undefined,
  allowPlainHttp: false,
  metricsFile: undefined,
};

test("the policy is what the settings decide, and what was asked of this pass", () => {
  const asked = { when: "now", absent: "install" } as const;
  expect(policyOf(settings, asked)).toEqual({ ...decisive, asked, moveTakes: { atLeastSeconds: 600, atMostSeconds: 2700 } });
});
