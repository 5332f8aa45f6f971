import { expect, test } from "vitest";
import { compare, stayLine, tellLift } from "../../../src/rules/decide/comparison.ts";
import { version } from "../version/given.ts";

test.each([
  ["15.4.5", "15.4.6", true, "an upgrade is available (15.4.5 -> 15.4.6)"],
  [undefined, "15.4.6", true, "an upgrade is available (not installed -> 15.4.6)"],
  ["15.4.6", "15.4.6", false, "no upgrades available (15.4.6 == 15.4.6)"],
  ["15.4.7", "15.4.6", false, "no upgrades available (15.4.7 > 15.4.6)"],
  ["15.4.6", undefined, false, "no upgrades available (15.4.6, channel serves none)"],
  [undefined, undefined, false, "no upgrades available (not installed, channel serves none)"],
])("with %s installed and %s served an upgrade is available: %s", (installed, served, isAvailable, line) => {
  const compared = compare(
    installed === undefined ? undefined : version(installed),
    served === undefined ? { kind: "none" } : { kind: "version", version: version(served) },
  );
  expect(compared).toEqual({ isAvailable, line });
});

const line = "an upgrade is available (15.4.5 -> 15.4.6)";

test.each([
  ["current", undefined, line],
  ["pinned", undefined, `${line}; it is so`],
  ["downgrade-refused", undefined, `${line}: it is so`],
  ["outside-window", undefined, `${line}, not now: it is so`],
  ["outside-window", 1_800_000_000, `${line}, not at 2027-01-15T08:00:00Z: it is so`],
])("why nothing moves stands behind what was compared: %s at %s", (why, at, expected) => {
  expect(stayLine({ isAvailable: true, line }, { why, told: "it is so" }, at)).toBe(expected);
});

test("what time does not end is told with what does", () => {
  expect(tellLift({ why: "held", told: "", lift: "unhold" })).toBe("; lifted by: unhold");
  expect(tellLift({ why: "held", told: "" })).toBe("");
  expect(tellLift({ why: "outside-window", told: "", until: 1, lift: "run now" })).toBe("");
  expect(tellLift({ why: "current", told: "", lift: "another version is served" })).toBe("");
});
