import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readClock } from "../../../src/machine/clocks/read-clock.ts";
import { scratchFolder } from "../files/scratch.ts";

const folder = scratchFolder();

describe("a reading of the clocks", () => {
  test("has whole seconds, the age of this boot and its id", () => {
    const before = Math.floor(Date.now() / 1000);
    const reading = readClock();
    expect(Number.isInteger(reading.now)).toBe(true);
    expect(reading.now).toBeGreaterThanOrEqual(before);
    expect(reading.now).toBeLessThanOrEqual(Date.now() / 1000);
    expect(reading.sinceBootSeconds).toBeGreaterThan(0);
    expect(reading.bootId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("says whether something vouches for the clock", () => {
    const places = { bootId: `${folder}/boot`, synchronised: `${folder}/synchronised` };
    expect(readClock(places)).toMatchObject({ bootId: "unknown", isSynchronised: false });
    writeFileSync(places.bootId, "abc\n");
    writeFileSync(places.synchronised, "");
    expect(readClock(places)).toMatchObject({ bootId: "abc", isSynchronised: true });
  });
});
