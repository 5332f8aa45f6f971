import { describe, expect, test } from "vitest";
import { parsePlan } from "../../../../src/updater/package/yum/plan.ts";
import { savedEnded } from "../saved.ts";

const planOf = (name: string): ReturnType<typeof parsePlan> => parsePlan(savedEnded(`yum/${name}`, 1).output);

const longName = "an-agent-with-a-very-long-name-that-no-table-of-eighty-columns-holds";

describe("what dnf says that it would do", () => {
  test.each<{ name: string; changed: readonly string[]; removed: readonly string[] }>([
    { name: "simulate-up", changed: ["svc-ent up"], removed: [] },
    { name: "simulate-install", changed: ["svc-ent up"], removed: [] },
    { name: "simulate-down", changed: ["svc-ent down"], removed: [] },
    { name: "simulate-reinstall", changed: ["svc-ent up"], removed: [] },
    { name: "simulate-remove", changed: ["svc-ent up"], removed: ["companion"] },
    { name: "simulate-replacing", changed: ["svc-ent up"], removed: ["svc-old"] },
    { name: "simulate-duplicates", changed: ["svc-ent down"], removed: ["svc-ent"] },
    { name: "simulate-others", changed: ["bystander up", "svc-ent up", "libbreaks up", "provider up"], removed: [] },
    { name: "simulate-long-names", changed: ["bystander up", "svc-ent up", `${longName} up`], removed: [] },
  ])("$name", ({ name, changed, removed }) => {
    const plan = planOf(name);
    expect(plan?.changed.map((row) => `${row.name} ${row.how}`)).toEqual(changed);
    expect(plan?.removed).toEqual(removed);
  });

  test("a plan that was not understood to its end is none", () => {
    const { output } = savedEnded("yum/simulate-remove", 1);
    expect(parsePlan(output.replace(" companion ", "   companion "))).toBeUndefined();
    expect(parsePlan(output.replace("Remove   1 Package", "Remove  12 Packages"))).toBeUndefined();
    expect(parsePlan(output.slice(0, output.indexOf("Transaction Summary")))).toBeUndefined();
  });
});
