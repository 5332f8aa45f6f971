import { expect, test } from "vitest";
import { brokenBy } from "./bounds.ts";

test("what is broken is told, figure by figure", () => {
  const kept = { asked: 9, lost: [], worstMs: { fresh: 1000, kept: 1 }, peakMib: 768, shed: 3 };
  expect(brokenBy(kept)).toEqual([]);
  expect(brokenBy({ ...kept, lost: ["503", "reset"], worstMs: { fresh: 1001, kept: 2000 }, peakMib: 769 })).toEqual([
    "2 answers lost, the first: 503",
    "1001 ms over a fresh connection, and 1000 are allowed",
    "2000 ms over a kept connection, and 1000 are allowed",
    "769 MiB, and 768 are allowed",
  ]);
});
