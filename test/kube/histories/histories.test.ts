import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isWhole } from "../../whole.ts";
import type { Place } from "./parts.ts";
import { histories, play, type History } from "./history.ts";
import type { Planted } from "./updater.ts";

test("in random histories no good pod is deleted, no good version is rejected, one object at most is ill, and each ends well", async () => {
  await fc.assert(
    fc.asyncProperty(histories, (history) => play(history)),
    { numRuns: isWhole ? 15 : 2 },
  );
});

const one: Place = { kind: "StatefulSet", name: "agenta", isParallel: false, minReadySeconds: 0 };
const two: Place = { ...one, name: "agentb" };

const planted: readonly (readonly [Planted, RegExp, History])[] = [
  [
    "counts time that nobody saw",
    /agenta rejects 15\.4\.6, which is good$/,
    {
      places: [one],
      happened: [
        { what: "serves", health: "slow", wait: 100 },
        { what: "nobody reaches the API server", seconds: 1300, wait: 700 },
      ],
    },
  ],
  [
    "knows no other objects",
    /it has made agenta and agentb ill together$/,
    { places: [one, two], happened: [{ what: "serves", health: "unready", wait: 200 }] },
  ],
  [
    "tests nothing",
    /it changes svc:15\.4\.5, which somebody else has set$/,
    {
      places: [one],
      happened: [
        { what: "serves", health: "well", wait: 400 },
        { what: "its watch of objects is behind", seconds: 100, wait: 5 },
        { what: "serves", health: "well", wait: 5 },
        { what: "a tool sets its image", which: 0, number: 2, wait: 5 },
      ],
    },
  ],
];

describe("an updater", () => {
  test.each(planted)("that %s is found", async (bug, told, history) => {
    await expect(play(history, bug)).rejects.toThrow(told);
    await expect(play(history)).resolves.toBeUndefined();
  });
});
