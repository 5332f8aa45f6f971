import { describe, expect, test } from "vitest";
import { judgeTimer, type LoadedUnit } from "../../../src/updater/doctor/timer.ts";
import type { UnitName } from "../../../src/rules/settings/settings.ts";
import type { ShownTimer } from "../../../src/updater/unit/timer.ts";

const timer: ShownTimer = { load: "loaded", isEnabled: true, isActive: true, lastAt: undefined, nextAt: 1_800_000_000 };
const services: readonly LoadedUnit[] = [
  { unit: "svc-upgrade.service" as UnitName, load: "loaded" },
  { unit: "svc-upgrade-ask.service" as UnitName, load: "loaded" },
];

describe("the timer", () => {
  test("is well, with its next pass", () => {
    expect(judgeTimer(timer, services)).toEqual({
      verdict: "ok",
      told: "svc-upgrade.timer is enabled and active; the next pass is due at 2027-01-15T08:00:00Z",
    });
    expect(judgeTimer({ ...timer, nextAt: undefined }, services).told).toContain("a pass is running");
  });

  test.each<readonly [string, Partial<ShownTimer>, string, string]>([
    ["is disabled", { isEnabled: false, isActive: false }, "failed", "sudo systemctl enable --now svc-upgrade.timer"],
    ["is stopped", { isActive: false }, "failed", "sudo systemctl start svc-upgrade.timer"],
    ["is off after the next boot", { isEnabled: false }, "warning", "sudo systemctl enable --now svc-upgrade.timer"],
  ])("%s", (_title, changes, verdict, fix) => {
    const finding = judgeTimer({ ...timer, ...changes }, services);
    expect([finding.verdict, finding.fix]).toEqual([verdict, fix]);
  });

  test.each([
    ["masked", "sudo systemctl unmask svc-upgrade-ask.service"],
    ["not-found", "systemctl status svc-upgrade-ask.service"],
  ])("starts in vain what is %s", (load, fix) => {
    const lost = services.map((service) => (service.unit === "svc-upgrade-ask.service" ? { ...service, load } : service));
    expect(judgeTimer(timer, lost)).toMatchObject({ verdict: "failed", fix });
  });
});
