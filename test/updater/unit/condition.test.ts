import { describe, expect, test } from "vitest";
import type { AgentCondition } from "../../../src/updater/plan/host-facts.ts";
import { conditionOf, type SeenRestarts } from "../../../src/updater/unit/condition.ts";
import { parseShown, type ShownUnit, type Trigger } from "../../../src/updater/unit/shown.ts";
import { running } from "./given.ts";

describe("the agent's condition", () => {
  test.each<[is: AgentCondition, title: string, unit: Partial<ShownUnit>, before?: SeenRestarts]>([
    ["stopped", "stopped by an admin after restarts", { active: "inactive", restarts: 9 }, seen(1)],
    ["stopped", "failed, and disabled", { active: "failed", isEnabled: false }],
    ["unhealthy", "between two restarts on newer systemd", { active: "activating", sub: "auto-restart-queued" }],
    ["running", "restarted before the last pass only", { restarts: 3 }, seen(3)],
    ["unhealthy", "restarted in a new boot", { restarts: 1 }, { bootId: "earlier", restarts: 9 }],
    ["running", "down while its socket waits", { active: "inactive", sub: "dead", trigger: socket("waiting") }],
    ["unhealthy", "failed behind its socket", { active: "failed", trigger: socket("waiting") }],
    ["unhealthy", "down behind a socket that failed", { active: "inactive", trigger: socket("failed") }],
    [
      "stopped",
      "down behind a socket that failed and is not enabled",
      { active: "inactive", trigger: { ...socket("failed"), isEnabled: false } },
    ],
    ["unhealthy", "a script of which nothing runs any more", { sub: "exited", type: "forking" }],
    ["running", "up after it has done its work", { sub: "exited", type: "oneshot" }],
    ["unknown", "masked", { isLoaded: false, isMasked: true }],
  ])("is %s when %s", (is, _title, unit, before) => {
    expect(conditionOf({ ...running, ...unit }, "now", before)).toBe(is);
  });
});

describe("what systemctl show says", () => {
  const shown = `MainPID=61
NRestarts=2
ExecMainStartTimestampMonotonic=2322257891
Result=success
LoadState=loaded
ActiveState=active
SubState=running
UnitFileState=enabled
ActiveEnterTimestampMonotonic=99
`;

  test("is read key by key", () => {
    const unit = { ...running, type: "", restarts: 2, mainPid: 61, startedAtUs: 2_322_257_891, activeSinceUs: 99 };
    expect(parseShown(shown)).toEqual(unit);
  });

  test("dates a unit without a main process by when it came up", () => {
    expect(parseShown(shown.replace("MainPID=61", "MainPID=0")).startedAtUs).toBe(99);
  });

  test("of a unit that does not exist is empty and not an error", () => {
    expect(parseShown("LoadState=not-found\nActiveState=inactive\nNRestarts=[not set]\n")).toMatchObject({
      isLoaded: false,
      active: "inactive",
      restarts: 0,
      isEnabled: false,
    });
    expect(parseShown("")).toMatchObject({ isLoaded: false, active: "other" });
  });
});

function socket(state: Trigger["state"]): Trigger {
  return { unit: "svc.socket", state, isEnabled: true };
}

function seen(restarts: number): SeenRestarts {
  return { bootId: "now", restarts };
}
