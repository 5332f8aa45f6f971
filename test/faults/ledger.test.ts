import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { countPlays, note, parseLedger, playedOf, readLedger, type Played } from "./ledger.ts";
import { replay, tellResult, tellTotal } from "./print.ts";
import type { Scenario } from "./scenario.ts";
import type { Result } from "./series.ts";
import { tellTally } from "./tally.ts";

const scenario: Scenario = { row: 31, name: "an orderly poweroff", family: "apt", play: () => Promise.resolve() };

const survived: Result = { scenario, seed: 7, seconds: 12.34, kind: "survived", remark: "" };
const lost: Result = { scenario, seed: 8, seconds: 3, kind: "lost", why: "it is off", evidence: "/tmp/evidence" };
const missed: Result = { scenario, seed: 9, seconds: 4, kind: "not staged", why: "the pass had ended" };

function played(name: string, results: readonly Result["kind"][], commit: string = "abc"): readonly Played[] {
  return results.map((result, index) => ({ commit, seed: index + 1, row: 1, name, family: "apt", result, seconds: 1 }));
}

test("a ledger gives back what was noted in it, and nothing where there is none", () => {
  const directory = mkdtempSync(join(tmpdir(), "ledger-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, "ledger.jsonl");
  expect(readLedger(file)).toEqual([]);
  for (const result of [survived, lost]) note(file, playedOf(result, "abc"));
  const common = { commit: "abc", row: 31, name: "an orderly poweroff", family: "apt" };
  expect(readLedger(file)).toEqual([
    { ...common, seed: 7, result: "survived", seconds: 12.3 },
    { ...common, seed: 8, result: "lost", seconds: 3, why: "it is off" },
  ]);
});

test("a line that was cut off while it was written is no play", () => {
  const [line] = played("one", ["survived"]).map((one) => JSON.stringify(one));
  expect(parseLedger(`${line}\n{"commit":"a`)).toHaveLength(1);
});

test("plays of another commit do not count, nor those whose moment never came", () => {
  const all = [
    ...played("one", ["survived", "lost", "not staged", "survived"]),
    ...played("one", ["survived"], "other"),
    ...played("two", ["not staged"]),
  ];
  expect([...countPlays(all, "abc")]).toEqual([["1 one apt", { plays: 3, survived: 2, lostSeeds: [2] }]]);
});

test("a tally names what was lost, with the seeds, and what was played too rarely", () => {
  const five = Array.from({ length: 5 }, () => "survived" as const);
  const all = [
    ...played("sure", five),
    ...played("lost once", [...five, "lost"]),
    ...played("too rare", ["survived", "survived"]),
    ...played("of another commit", five, "other"),
  ];
  const known = [
    { row: 1, name: "sure", family: "apt" as const },
    { row: 2, name: "never played", family: "yum" as const },
  ];
  expect(tellTally(all, known).split("\n\n")[0]).toBe(
    `at abc:
          scenarios      plays   survived       lost    fewer than 5 plays
apt               3         13          1          1                     1
yum               1          0          0          0                     1
all               4         13          1          1                     2
lost:
  1 lost once apt: lost 1 of 6 plays, seeds 6
played fewer than 5 times:
  2 never played yum: 0 plays
  1 too rare apt: 2 plays`,
  );
  expect(tellTally([], known)).toBe("nothing was played yet");
});

test("a line says how many of the plays so far it survived, or lost and how to play it again", () => {
  expect(tellResult(survived, { plays: 1, survived: 1 })).toMatch(/ apt {5}survived +12\.3 s$/);
  expect(tellResult(survived, { plays: 5, survived: 5 })).toMatch(/ survived 5 of 5 +12\.3 s$/);
  expect(tellResult(lost, { plays: 3, survived: 2 })).toMatch(/ LOST 1 of 3 /);
  expect(tellResult(missed, { plays: 3, survived: 3 })).toMatch(/ not staged +4\.0 s {2}the pass had ended$/);
  expect(tellResult(lost, { plays: 1, survived: 0 })).toContain(
    "\n       see /tmp/evidence\n       again: npm run faults -- --only '^31 an orderly poweroff apt$' --seed 8",
  );
});

test("what plays a scenario again selects that one alone, whatever its name holds", () => {
  const name = "the manager's child is killed (dpkg, and more?), network down (12)";
  const command = replay({ scenario: { ...scenario, name }, seed: 5 });
  const [, pattern = "", rest] = /^npm run faults -- --only '([^']*)' (.*)$/.exec(command) ?? [];
  expect(rest).toBe("--seed 5 --kills 12");
  expect(new RegExp(pattern, "i").test(`31 ${name} apt`)).toBe(true);
  expect(new RegExp(pattern, "i").test(`31 ${name} apt and more`)).toBe(false);
});

test("the total is of scenarios: one play that is lost loses its scenario", () => {
  const once = [
    { plays: 1, survived: 1, lostSeeds: [] },
    { plays: 1, survived: 0, lostSeeds: [3] },
  ];
  expect(tellTotal({ counts: once, unstaged: 2, times: 1 })).toBe("2 scenarios run, 1 survived, 1 lost, 2 not staged");
  const often = [
    { plays: 5, survived: 4, lostSeeds: [3] },
    { plays: 2, survived: 2, lostSeeds: [] },
  ];
  expect(tellTotal({ counts: often, unstaged: 0, times: 5 })).toBe(
    "2 scenarios run in 7 plays, 1 survived, 1 lost, 1 played fewer than 5 times, 0 not staged",
  );
});
