import { describe, expect, test } from "vitest";
import { inspectingBeside } from "../../../../src/updater/package/manager/inspect-along.ts";
import type { PackageManager } from "../../../../src/updater/package/manager/manager.ts";
import type { InstalledPackage } from "../../../../src/updater/plan/host-facts.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import { manager } from "../../doctor/given.ts";
import { installed } from "../../pass/given.ts";

const [agent, libs, data] = ["svc-ent", "svc-ent-libs", "svc-ent-data"] as PackageName[] as [
  PackageName,
  PackageName,
  PackageName,
];
const absent: InstalledPackage = { kind: "absent" };
const halfWay = installed("15.4.6", { condition: "half-way", isHeld: true });

/** One that knows of these packages, and notes what it is asked. */
function managing(found: Readonly<Record<string, InstalledPackage>>): {
  readonly manager: PackageManager;
  readonly asked: unknown[];
} {
  const asked: unknown[] = [];
  return {
    asked,
    manager: {
      ...manager(),
      inspect: async (name) => (asked.push(name), found[name] ?? absent),
      inspectAll: async (names) => (asked.push(names), names.map((name) => found[name] ?? absent)),
    },
  };
}

describe("the agent's package beside what moved along", () => {
  test.each<
    [title: string, others: Readonly<Record<string, InstalledPackage>>, agents: InstalledPackage, told: InstalledPackage]
  >([
    ["one that is gone", { [libs]: installed("15.4.6") }, installed("15.4.6"), installed("15.4.6")],
    [
      "one that is half-way",
      { [libs]: installed("15.4.6"), [data]: halfWay },
      installed("15.4.6", { isHeld: true }),
      installed("15.4.6", { condition: "half-way", isHeld: true }),
    ],
    ["one that is half-way, where it is not there itself", { [libs]: halfWay }, absent, absent],
  ])("is told of as it is with %s, by one question", async (_title, others, agents, told) => {
    const { manager: inner, asked } = managing({ [agent]: agents, ...others });
    expect(await inspectingBeside(inner, () => [libs, data]).inspect(agent)).toEqual(told);
    expect(asked).toEqual([[agent, libs, data]]);
  });

  test("is asked for alone where nothing moved along, or only it is named", async () => {
    const { manager: inner, asked } = managing({ [agent]: installed("15.4.6") });
    for (const beside of [[], [agent]]) {
      expect(await inspectingBeside(inner, () => beside).inspect(agent)).toEqual(installed("15.4.6"));
    }
    expect(asked).toEqual([agent, agent]);
  });

  test("leaves all other questions as they are", async () => {
    const { manager: inner } = managing({ [libs]: halfWay });
    const both = inspectingBeside(inner, () => [libs]);
    expect(both.inspectAll).toBe(inner.inspectAll);
    expect(both.install).toBe(inner.install);
  });
});
