import { expect, test } from "vitest";
import { compare } from "../../../src/rules/decide/comparison.ts";
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
