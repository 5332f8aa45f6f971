import { describe, expect, test } from "vitest";
import { judgeAgent } from "../../../src/updater/doctor/agent.ts";
import type { AgentCondition } from "../../../src/updater/plan/host-facts.ts";
import type { UnitName } from "../../../src/rules/settings/settings.ts";
import type { ShownUnit } from "../../../src/updater/unit/shown.ts";
import { running } from "../unit/given.ts";

const unit = "svc.service" as UnitName;

describe("the agent's unit", () => {
  test.each<readonly [string, Partial<ShownUnit>, AgentCondition, string, string | undefined]>([
    ["is missing", { isLoaded: false }, "unknown", "failed", "systemctl status svc.service"],
    ["is masked", { isLoaded: false, isMasked: true }, "unknown", "failed", "sudo systemctl unmask svc.service"],
    [
      "is gone after the next boot",
      { isEnabled: false, unitFile: "disabled" },
      "running",
      "warning",
      "sudo systemctl enable svc.service",
    ],
    ["is a script that is", { unitFile: "script", type: "forking" }, "running", "ok", undefined],
    [
      "has no [Install], and nothing starts it",
      { isEnabled: false, unitFile: "static" },
      "running",
      "warning",
      "sudo systemctl add-wants multi-user.target svc.service",
    ],
    [
      "has no [Install], and its socket is off",
      { isEnabled: false, unitFile: "static", trigger: { unit: "svc.socket", state: "off", isEnabled: false } },
      "running",
      "warning",
      "sudo systemctl enable --now svc.socket",
    ],
    [
      "was stopped with its socket",
      { active: "inactive", sub: "dead", unitFile: "static", trigger: { unit: "svc.socket", state: "off", isEnabled: true } },
      "stopped",
      "warning",
      "sudo systemctl enable --now svc.socket",
    ],
    [
      "is a script that is not started at boot, and was stopped",
      { active: "inactive", sub: "dead", unitFile: "script", isEnabled: false },
      "stopped",
      "warning",
      "sudo systemctl enable svc.service && sudo systemctl start svc.service",
    ],
    [
      "is a script of which nothing is left",
      { sub: "exited", type: "forking", unitFile: "script" },
      "unhealthy",
      "failed",
      "journalctl -u svc.service -n 20 --no-pager",
    ],
    [
      "is behind a socket that has failed",
      { active: "inactive", sub: "dead", unitFile: "static", trigger: { unit: "svc.socket", state: "failed", isEnabled: true } },
      "unhealthy",
      "failed",
      "journalctl -u svc.service -u svc.socket -n 20 --no-pager",
    ],
    ["was stopped", { active: "inactive", sub: "dead" }, "stopped", "warning", "sudo systemctl enable --now svc.service"],
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
