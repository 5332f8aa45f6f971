import { describe, expect, test } from "vitest";
import type { AgentCondition } from "../../../src/updater/plan/host-facts.ts";
import { conditionOf, type SeenRestarts } from "../../../src/updater/unit/condition.ts";
import { parseShown, type ShownUnit, type Trigger } from "../../../src/updater/unit/shown.ts";
import { running } from "./given.ts";

describe("the agent's condition", () => {
  test.each<{ title: string; unit: Partial<ShownUnit>; before?: SeenRestarts; is: AgentCondition }>([
    { title: "stopped by an admin after restarts", unit: { active: "inactive", restarts: 9 }, before: seen(1), is: "stopped" },
    { title: "failed, and disabled", unit: { active: "failed", isEnabled: false }, is: "stopped" },
    {
      title: "between two restarts on newer systemd",
      unit: { active: "activating", sub: "auto-restart-queued" },
      is: "unhealthy",
    },
    { title: "restarted before the last pass only", unit: { restarts: 3 }, before: seen(3), is: "running" },
    { title: "restarted in a new boot", unit: { restarts: 1 }, before: { bootId: "earlier", restarts: 9 }, is: "unhealthy" },
    {
      title: "down while its socket waits",
      unit: { active: "inactive", sub: "dead", trigger: socket("waiting") },
      is: "running",
    },
    { title: "failed behind its socket", unit: { active: "failed", trigger: socket("waiting") }, is: "unhealthy" },
    { title: "down behind a socket that failed", unit: { active: "inactive", trigger: socket("failed") }, is: "unhealthy" },
    {
      title: "down behind a socket that failed and is not enabled",
      unit: { active: "inactive", trigger: { ...socket("failed"), isEnabled: false } },
      is: "stopped",
    },
    { title: "a script of which nothing runs any more", unit: { sub: "exited", type: "forking" }, is: "unhealthy" },
    { title: "up after it has done its work", unit: { sub: "exited", type: "oneshot" }, is: "running" },
    { title: "masked", unit: { isLoaded: false, isMasked: true }, is: "unknown" },
  ])("is $is when $title", ({ unit, before, is }) => {
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
