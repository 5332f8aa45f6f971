import { describe, expect, test } from "vitest";
import { isWhole } from "../../../whole.ts";
import { givenSeed } from "../../../given-seed.ts";
import { drawFrom } from "./draw.ts";
import { drawFleet, recipes, rolloutOf, type Breaks } from "./fleet.ts";
import { playFleet } from "./fleets.ts";
import { play } from "./play.ts";

const day = 86_400;
const began = 20_000 * day;

test("a good version ends within eight days, whatever the fleet, or halts: nothing hangs", () => {
  const played = Array.from({ length: isWhole ? 300 : 20 }, (_, index) => playFleet(givenSeed() + index));
  const wrong = played.filter((one) => one.played.end === "hanging" || one.played.seconds > (8 + 2 * one.played.skips) * day);
  expect(
    wrong.map(({ recipe, hosts, played: { end, seconds } }) => `${recipe}, ${hosts} hosts: ${end} after ${seconds} s`),
  ).toEqual([]);
});

describe("a version that breaks 10 % of 3,000 hosts halts in the canary", () => {
  test.each<[how: string, breaks: Breaks, kind: string]>([
    ["by crashing", "start", "failed"],
    ["by taking their network", "network", "silent"],
    ["by crashing later", "later", "silent"],
  ])("%s", (_, breaks, kind) => {
    const nobody = { off: 0, dead: 0, held: 0, failing: 0 };
    const hosts = drawFleet({ ...nobody, hosts: 3000, canaries: 200, bad: 0.1, breaks }, drawFrom(1), began);
    const spec = rolloutOf(recipes["canary, few and the rest"]);
    const { status, reached } = play({ hosts, spec, began, windowHour: 2 });
    expect(status!.halted).toMatchObject({ stage: "canary", kind });
    expect(reached).toBeLessThan(40);
    expect(play({ hosts, spec: undefined, began, windowHour: 2, mostDays: 1 }).reached).toBeGreaterThan(250);
  });
});
