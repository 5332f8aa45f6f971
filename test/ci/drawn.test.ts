import { describe, expect, test } from "vitest";
import { drawnBy } from "../system/drawn.ts";

const items = ["apt", "yum", "zypper", "one", "two"];
const seeds = Array.from({ length: 200 }, (_, seed) => seed);

describe("what a run of the system tests draws", () => {
  test("is as many as wanted, each once, in their order, and the same for the same seed", () => {
    for (const seed of seeds) {
      const picked = drawnBy(seed, items, 2);
      expect(picked).toHaveLength(2);
      expect(items.filter((item) => picked.includes(item))).toEqual(picked);
      expect(drawnBy(seed, items, 2)).toEqual(picked);
    }
  });

  test("is everything in turn", () => {
    for (const item of items) {
      const times = seeds.filter((seed) => drawnBy(seed, items, 2).includes(item)).length;
      // Two of five: 80 of 200, and never by chance so far away from it.
      expect([item, times > 40 && times < 120]).toEqual([item, true]);
    }
  });

  test("is all there is where no more is there", () => {
    expect(drawnBy(1, items, 9)).toEqual(items);
  });
});
