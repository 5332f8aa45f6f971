import { expect, test } from "vitest";
import { locked } from "../system/lab/agent-set.ts";
import { killScenarios, killScenariosOfSet, steps, type Kills } from "./kill-table.ts";
import { lostCachesIn } from "./rows/44-lost-caches.ts";
import type { Scenario } from "./scenario.ts";

const of = { row: 42, set: locked };

function scenariosWith(kills: Kills): readonly Scenario[] {
  return [...killScenarios(kills), ...killScenariosOfSet(kills, of), ...lostCachesIn(of)];
}

/** Without the number that tells one of the same aim from another. */
function aimOf({ row, name, family }: Scenario): string {
  return `${row} ${name.replace(/ \(\d+\)$/, "")} ${family}`;
}

test("every kill is in the campaign once, unless somebody asks for a number of them", () => {
  const aims = scenariosWith({ perStep: "each aim once" }).map(aimOf);
  expect(new Set(aims).size).toBe(aims.length);
  const more = scenariosWith({ perStep: 100 }).map(aimOf);
  expect(new Set(more)).toEqual(new Set(aims));
  const fewer = scenariosWith({ perStep: 2 });
  expect(new Set(fewer.map(aimOf)).size).toBe(fewer.length);
  expect(fewer.length).toBeLessThan(aims.length);
});

test("a set is cut at every step, with its caches and without, and half of the cuts find no network", () => {
  const cuts = scenariosWith({ perStep: "each aim once" }).filter(
    ({ row, name, family }) => row === of.row && family === "zypper" && !name.includes("in the pass that mends it"),
  );
  for (const victim of ["host", "host, its caches lost,"]) {
    const its = cuts.filter(({ name }) => name.startsWith(`kill the ${victim} `));
    for (const step of steps) {
      const there = its.filter(({ name }) => new RegExp(` at ${step}\\b(?!-)`).test(name));
      const without = there.filter(({ name }) => name.includes("network down"));
      expect([victim, step, there.length]).not.toEqual([victim, step, 0]);
      expect([victim, step, without.length]).toEqual([victim, step, there.length / 2]);
    }
  }
});
