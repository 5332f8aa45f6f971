import { describe, expect, test } from "vitest";
import { givenSeed } from "../given-seed.ts";
import { fuzz } from "./campaign.ts";
import { plant, plantedBugs, plantedHang } from "./planted.ts";
import { randomOf } from "./random.ts";
import { ownSource } from "./source.ts";
import { show } from "./target.ts";
import { targets } from "./targets.ts";
import { fuzzWatched } from "./watched.ts";

const seed = givenSeed();
/** Twice what `npm run fuzz` throws, of which each target gets its share; the rarest bug is found in a tenth of it, on average. */
const plantedCount = 480_000;
/** Longer than any input takes on a busy machine, and the loop that waits for it never ends. */
const patienceMs = 2000;

describe("the fuzzer", () => {
  test("finds nothing in the parsers as they are, and every parser accepts some inputs and refuses some", async () => {
    const { findings, tallies } = await fuzz({ seed, first: 0, count: 12_000, source: ownSource, mostFindings: 10 });
    expect(findings).toEqual([]);
    expect([...tallies.keys()]).toEqual(targets.map(({ name }) => name));
    // A parser that never accepts, or never refuses, is not tried.
    for (const [name, { accepted, refused }] of tallies) expect([name, accepted > 10, refused > 10]).toEqual([name, true, true]);
  });

  test.each(plantedBugs)("finds $title", async (planted) => {
    const { source, remove } = plant(planted);
    try {
      const campaign = { seed, first: 0, count: plantedCount, source, only: planted.target, mostFindings: 1 };
      const { findings } = await fuzz(campaign);
      expect(findings).toMatchObject([{ target: planted.target, told: expect.stringMatching(planted.told) }]);
      // The seed and the index alone give it again.
      const again = await fuzz({ ...campaign, first: findings[0]!.index, count: 1 });
      expect(again.findings).toEqual(findings);
      const without = await fuzz({ ...campaign, first: findings[0]!.index, count: 1, source: ownSource });
      expect(without.findings).toEqual([]);
    } finally {
      remove();
    }
  });

  test("names the input on which a parser never ends", async () => {
    const { source, remove } = plant(plantedHang);
    try {
      const { findings } = await fuzzWatched(
        { seed, first: 0, count: plantedCount, source, only: plantedHang.target, mostFindings: 1 },
        patienceMs,
      );
      expect(findings).toMatchObject([{ target: plantedHang.target, told: expect.stringMatching(plantedHang.told) }]);
      expect(findings[0]?.input).toContain("[");
    } finally {
      remove();
    }
  });

  test("gives the same inputs for the same seed, and others for another", async () => {
    const makers = await Promise.all(targets.map((target) => target.load(ownSource)));
    const inputs = (from: number): readonly string[] => makers.map((make, index) => show(make(randomOf(from, index)).input));
    expect(inputs(seed)).toEqual(inputs(seed));
    expect(inputs(seed)).not.toEqual(inputs(seed + 1));
  });
});
