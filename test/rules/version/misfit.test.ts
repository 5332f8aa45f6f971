import { expect, test } from "vitest";
import { misfitOf, tellMisfit } from "../../../src/rules/version/misfit.ts";

test.each([
  ["15.4.5", "15.4.5", ""],
  ["15.9.0", "15.4.5", ""],
  ["14.0.0", "15.4.5", ""],
  ["16.0.0-rc.1", "15.4.5", "newer"],
  ["13.9.9", "15.4.5", "older"],
  ["", "15.4.5", ""],
  ["15.4.5", "", ""],
] as const)("%o beside auth %o is %o", (own, auth, misfit) => {
  expect(misfitOf(own, auth)).toBe(misfit);
});

test("people of the host are told what to do", () => {
  expect(tellMisfit("16.0.0", "15.4.5")).toBe(
    "svc 16.0.0 of this host is newer than auth's 15.4.5 by a major version: update the auth service first",
  );
  expect(tellMisfit("13.0.0", "15.4.5")).toContain("bring this host up to date");
  expect(tellMisfit("15.4.5", "15.4.5")).toBeUndefined();
});
