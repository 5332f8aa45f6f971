import { describe, expect, test } from "vitest";
import { changeTo } from "../../../src/updater/pass/change.ts";
import type { InstalledPackage } from "../../../src/updater/plan/host-facts.ts";
import { installed, packageVersion, settings } from "./given.ts";

const absent: InstalledPackage = { kind: "absent" };

describe("a change", () => {
  test.each<[found: string, to: string, direction: string]>([
    ["15.4.5", "15.4.6", "up"],
    ["15.4.6", "15.4.5", "down"],
    ["15.4.5", "15.4.5", "same"],
    ["15.4.5-1", "15.4.5-2", "down"],
    ["15.4.5-2", "15.4.5-1", "down"],
    ["5:15.4.5-1", "15.4.6-1", "up"],
    ["2026", "15.4.6", "up"],
    ["15.4.6", "2026", "up"],
    ["2026", "2026", "same"],
  ])("from %s to %s goes %s", (found, to, direction) => {
    expect(changeTo(packageVersion(to), installed(found), { settings: settings(), beside: [] })).toMatchObject({ direction, to });
  });

  test("of what is absent goes up, and lifts no hold", () => {
    const change = changeTo(packageVersion("15.4.6"), absent, { settings: settings({ holds: "override" }), beside: [] });
    expect(change).toEqual({ name: "svc-ent", to: "15.4.6", direction: "up", hold: "none", beside: [] });
  });

  test.each([
    ["lifts", "a hold", { holds: "override" }, true, "lifted"],
    ["leaves", "a hold", {}, true, "none"],
    ["leaves", "no hold", { holds: "override" }, false, "none"],
  ])("%s %s with the settings %j", (_verb, _what, values, isHeld, hold) => {
    expect(
      changeTo(packageVersion("15.4.6"), installed("15.4.5", { isHeld }), { settings: settings(values), beside: [] }).hold,
    ).toBe(hold);
  });
});
