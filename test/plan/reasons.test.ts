import { describe, expect, test } from "vitest";
import { moveReasons, stayReasons } from "../../src/plan/reasons.ts";

describe("the table of reasons", () => {
  test("has each at the gate of the decision table that gives it", () => {
    const gates = (rows: Readonly<Record<string, { readonly gate: number }>>): readonly string[] =>
      Object.entries(rows)
        .map(([why, { gate }]) => `${String(gate).padStart(2)} ${why}`)
        .toSorted();
    expect(gates(stayReasons)).toEqual([
      " 3 no-version",
      " 4 current",
      " 4 pinned",
      " 5 needs-operator",
      " 6 held",
      " 7 package-held",
      " 8 rejected",
      " 9 backing-off",
      "10 alternating",
      "10 downgrade-refused",
      "10 major-refused",
      "12 never",
      "14 clock",
      "15 blackout",
      "16 outside-window",
      "16 window-too-short",
      "17 schedule-empty",
      "17 schedule-invalid",
      "17 schedule-missing",
      "17 schedule-stale",
    ]);
    expect(gates(moveReasons)).toEqual([" 0 rollback", "11 asked", "13 critical", "16 window", "17 anytime", "17 rescue"]);
  });

  test("concerns somebody where a fleet in good order has none of it", () => {
    const concerning = Object.entries(stayReasons).flatMap(([why, { concerns }]) => (concerns === "somebody" ? [why] : []));
    expect(concerning.toSorted()).toEqual([
      "alternating",
      "clock",
      "needs-operator",
      "rejected",
      "schedule-empty",
      "schedule-invalid",
      "schedule-missing",
      "schedule-stale",
    ]);
  });
});
