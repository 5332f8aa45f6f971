import { expect, test } from "vitest";
import { rejectedIn, versionTyped } from "../../../src/rules/decide/version-to-retry.ts";
import { version } from "../version/given.ts";

const [first, second] = [version("15.4.6"), version("15.4.7")];

test("what is rejected can be tried again", () => {
  expect(rejectedIn([first, second], second, "svc-upgrade")).toBe(second);
});

test.each([
  ["svc-upgrade", "see what holds this host back: `svc-upgrade status`"],
  ["svc-kube-updater", "see what holds the object back: `svc-kube-updater status`"],
] as const)("what is not is a slip: %s says which is, or what to look at", (program, hint) => {
  expect(() => rejectedIn([first, first], second, program)).toThrow(
    expect.objectContaining({ message: "15.4.7 is not rejected here; rejected: 15.4.6", hint: `\`${program} retry 15.4.6\`` }),
  );
  expect(() => rejectedIn([], second, program)).toThrow(
    expect.objectContaining({ message: "15.4.7 is not rejected here; no version is", hint }),
  );
});

test.each(["svc-upgrade", "svc-kube-updater"] as const)("what is no version is refused, with how %s takes one", (program) => {
  expect(versionTyped("15.4.6", program)).toBe("15.4.6");
  expect(() => versionTyped("latest", program)).toThrow(
    expect.objectContaining({ code: "usage", hint: expect.stringContaining(`\`${program} retry 15.4.6\``) }),
  );
});
