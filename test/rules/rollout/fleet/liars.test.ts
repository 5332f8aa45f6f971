import { describe, expect, test } from "vitest";
import { drawFrom } from "./draw.ts";
import { drawFleet, recipes, rolloutOf, type Kind } from "./fleet.ts";
import { play, type Played } from "./play.ts";

const began = 20_000 * 86_400;
const nobody = { off: 0, dead: 0, held: 0, failing: 0, breaks: "start" } as const;

function played(kind: Pick<Kind, "hosts" | "canaries" | "bad"> & Partial<Kind>): Played {
  const hosts = drawFleet({ ...nobody, ...kind }, drawFrom(7), began);
  return play({ hosts, spec: rolloutOf(recipes["canary, few and the rest"]), began, windowHour: 2 });
}

describe("hosts that say a good version failed on them", () => {
  test.each<[share: string, canaries: number, liars: number, ends: string]>([
    ["one of 1,000 canaries does not halt it", 1000, 0.001, "done"],
    ["1 % do not halt it: a stage halts at 2 %", 1000, 0.01, "done"],
    ["10 % halt it in the canary", 1000, 0.1, "halted"],
  ])("%s", (_share, canaries, liars, ends) => {
    const { end, status } = played({ hosts: 3000, canaries, bad: 0, liars, lie: "failed" });
    expect(end).toBe(ends);
    if (ends === "halted") expect(status?.halted?.stage).toBe("canary");
  });
});

test("one such host halts a stage of fewer than 20 hosts, as any first failure there does", () => {
  const fleet = drawFleet({ ...nobody, hosts: 3000, canaries: 12, bad: 0 }, drawFrom(7), began);
  const hosts = fleet.map((host, index) => (index === 0 ? { ...host, lies: "failed" as const } : host));
  const { end, status } = play({ hosts, spec: rolloutOf(recipes["canary, few and the rest"]), began, windowHour: 2 });
  expect([end, status?.halted]).toMatchObject(["halted", { stage: "canary", hosts: 1, limit: 1 }]);
});

describe("hosts that say they are well at a version that breaks 10 % of the others", () => {
  const honest = played({ hosts: 3000, canaries: 300, bad: 0.1 });

  test.each<[share: string, liars: number]>([
    ["one", 0.0004],
    ["1 %", 0.01],
    ["10 %", 0.1],
    ["half of the fleet", 0.5],
  ])("%s cannot keep it from halting in the canary, nor bring it to hosts beyond", (_share, liars) => {
    const { end, status, reached } = played({ hosts: 3000, canaries: 300, bad: 0.1, liars, lie: "well" });
    expect([end, status?.halted?.stage]).toEqual(["halted", "canary"]);
    expect(reached).toBeLessThanOrEqual(honest.reached);
    expect(status?.stages.slice(1).map(({ state }) => state)).toEqual(["waiting", "waiting"]);
  });

  test("a canary stage of liars alone proves nothing: the next stage halts, at 2 % of its own hosts", () => {
    const fleet = drawFleet({ ...nobody, hosts: 3000, canaries: 300, bad: 0.1 }, drawFrom(7), began);
    const hosts = fleet.map((host) => (host.evidence.labels["env"] === "canary" ? { ...host, lies: "well" as const } : host));
    const { end, status, reached } = play({ hosts, spec: rolloutOf(recipes["canary, few and the rest"]), began, windowHour: 2 });
    expect([end, status?.halted?.stage]).toEqual(["halted", "few"]);
    expect(reached).toBeLessThan(40);
  });
});

test("a liar counts for itself: nobody is told sooner, and a good version ends as it does without", () => {
  const { end, seconds, status } = played({ hosts: 3000, canaries: 300, bad: 0, liars: 0.1, lie: "well" });
  const honest = played({ hosts: 3000, canaries: 300, bad: 0 });
  expect([end, honest.end]).toEqual(["done", "done"]);
  // The stages soak as long as ever.
  expect(seconds).toBeGreaterThan(0.9 * honest.seconds);
  expect(status?.stages.map(({ hosts }) => hosts)).toEqual(honest.status?.stages.map(({ hosts }) => hosts));
});
