import { describe, expect, test } from "vitest";
import { mergeSettings } from "../../src/settings/merge.ts";
import { notYet } from "../../src/settings/not-yet.ts";
import type { SettingRow } from "../../src/settings/settings.ts";

function rowsOf(values: object): readonly SettingRow[] {
  const merged = mergeSettings([{ origin: { kind: "file", path: "/etc/svc-upgrade/50-test.yaml" }, values }]);
  if (merged.kind === "faults") throw new Error(JSON.stringify(merged.faults));
  return merged.rows;
}

describe("a setting that promises what this release does not do", () => {
  test.each([
    [{ keep_previous: "require" }, "keep_previous"],
    [{ health: { command: ["curl", "localhost"] } }, "health.command"],
  ])("is refused by name: %j", (values, key) => {
    expect(notYet(rowsOf(values))).toMatchObject([{ key, origin: { path: "/etc/svc-upgrade/50-test.yaml" } }]);
  });

  test("is no trouble at its default, or where it asks for nothing", () => {
    expect(notYet(rowsOf({}))).toEqual([]);
    expect(notYet(rowsOf({ keep_previous: "never", health: { command: [] } }))).toEqual([]);
  });
});
