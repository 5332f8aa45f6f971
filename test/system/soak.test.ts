import { describe, expect, test } from "vitest";
import { scenario } from "./lab/scenario.ts";
import { soak } from "./soak/passes.ts";
import { isFlat } from "./soak/rows.ts";
import { withUpdater } from "./updater.ts";

describe("passes in a row", () => {
  test(
    "leave memory, files, state, journal and disk as they were",
    scenario(withUpdater({ suite: "bookworm" }), async (stage) => {
      const rows = await soak(stage, 30);
      expect(rows.filter((row) => !isFlat(row))).toEqual([]);
      // A whole runtime was looked at, and not the moment before it is loaded.
      const peaks = rows.filter(({ name }) => name.startsWith("peak memory")).map(({ start }) => start);
      for (const peakKib of peaks) expect(peakKib).toBeGreaterThan(30 * 1024);
      expect(peaks).toHaveLength(2);
      // What is never there at all is flat too.
      const seen = rows.filter(({ start }) => start > 0).map(({ name }) => name);
      expect(rows.map(({ name }) => name).filter((name) => !seen.includes(name))).toEqual(["zombies", "transient units"]);
    }),
  );

  test("are not flat where one figure has grown beyond its room", () => {
    expect(isFlat({ name: "zombies", start: 0, end: 0, most: 0 })).toBe(true);
    expect(isFlat({ name: "zombies", start: 0, end: 1, most: 0 })).toBe(false);
  });
});
