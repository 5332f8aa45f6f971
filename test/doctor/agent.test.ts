import { describe, expect, test } from "vitest";
import { judgeAgent } from "../../src/doctor/agent.ts";
import type { AgentCondition } from "../../src/plan/facts.ts";
import type { UnitName } from "../../src/settings/settings.ts";
import type { ShownUnit } from "../../src/unit/shown.ts";
import { running } from "../unit/given.ts";

const unit = "svc.service" as UnitName;

describe("the agent's unit", () => {
  test.each<readonly [string, Partial<ShownUnit>, AgentCondition, string, string | undefined]>([
    ["is well", {}, "running", "ok", undefined],
    ["is missing", { isLoaded: false }, "unknown", "failed", "systemctl status svc.service"],
    ["is gone after the next boot", { isEnabled: false }, "running", "warning", "sudo systemctl enable svc.service"],
    ["was stopped", { active: "inactive", sub: "dead" }, "stopped", "warning", "sudo systemctl enable --now svc.service"],
    ["failed", { active: "failed", sub: "failed" }, "unhealthy", "failed", "journalctl -u svc.service -n 20 --no-pager"],
    [
      "failed and is not enabled",
      { active: "failed", sub: "failed", isEnabled: false },
      "stopped",
      "failed",
      "journalctl -u svc.service -n 20 --no-pager",
    ],
    [
      "waits for its next restart",
      { active: "activating", sub: "auto-restart", isEnabled: false },
      "stopped",
      "failed",
      "journalctl -u svc.service -n 20 --no-pager",
    ],
    ["was restarted since the last pass", { restarts: 3 }, "unhealthy", "failed", "journalctl -u svc.service -n 20 --no-pager"],
  ])("%s", (_title, changes, condition, verdict, fix) => {
    const finding = judgeAgent(unit, { ...running, ...changes }, condition);
    expect([finding.verdict, finding.fix]).toEqual([verdict, fix]);
  });

  test("is told with its restarts", () => {
    expect(judgeAgent(unit, { ...running, restarts: 3 }, "running").told).toBe(
      "svc.service is active (running, restarts: 3) and enabled",
    );
  });
});
