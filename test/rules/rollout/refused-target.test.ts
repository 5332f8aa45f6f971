import { expect, test } from "vitest";
import { refusedTarget } from "../../../src/rules/rollout/refused-target.ts";
import type { Status } from "../../../src/rules/rollout/status.ts";
import { undo } from "../../../src/rules/rollout/steer.ts";
import { version } from "../version/given.ts";
import { begun, hostsOf, person, seen, specOf, target } from "./given.ts";

const before = begun(specOf(), seen(hostsOf(3)));
const undone = undo(before, person);
const fromNothing: Status = { ...undone, from: { kind: "none" } };

test.each<[wanted: string, before: Status | undefined, told: string | undefined, auth?: string]>([
  ["15.4.4", undefined, undefined],
  ["15.4.6", before, undefined],
  ["15.4.7", before, undefined],
  ["15.4.5", before, "15.4.6"],
  ["15.4.6-rc.1", before, "15.4.6"],
  ["15.4.6", undone, undefined],
  ["15.4.5", undone, undefined],
  ["15.4.4", undone, "15.4.5"],
  ["1.0.0", fromNothing, undefined],
])("%s is older than what hosts were told: case %#", (wanted, last, told) => {
  const asked = { before: last, auth: version("15.4.5") };
  expect(refusedTarget({ target: version(wanted) }, { ...asked, downgrade: "refuse" })).toEqual(
    told === undefined ? undefined : { kind: "older", told },
  );
  expect(refusedTarget({ target: version(wanted) }, { ...asked, downgrade: "allow" })).toBeUndefined();
});

test.each([
  ["16.0.0", "15.4.5", true],
  ["15.9.9", "15.4.5", false],
  ["14.0.0", "15.4.5", false],
  ["16.0.0", "0.1.0", false],
])("%s with an auth of %s: too new is %s", (wanted, auth, isRefused) => {
  const refusal = refusedTarget({ target: version(wanted) }, { before: undefined, auth: version(auth), downgrade: "allow" });
  expect(refusal).toEqual(isRefused ? { kind: "newer-major", auth } : undefined);
});

test("an edit that does not change the target is not refused, even if auth is older now", () => {
  expect(refusedTarget({ target }, { before, auth: version("14.0.0"), downgrade: "refuse" })).toBeUndefined();
});
