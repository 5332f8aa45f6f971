import { describe, expect, test } from "vitest";
import { check, findingOf, toldWithHint } from "../../../src/updater/doctor/finding-of-fault.ts";
import { Fault } from "../../../src/rules/fault/fault.ts";

describe("a fault as a finding", () => {
  test.each([["type `sudo dpkg --configure -a`", "it broke; type `sudo dpkg --configure -a`", "sudo dpkg --configure -a"]])(
    "gives the command of %j a line of its own",
    (hint, told, fix) => {
      expect(toldWithHint("it broke", hint)).toEqual(fix === undefined ? { told } : { told, fix });
    },
  );

  test("is a failure, but what needs root was only not looked at", () => {
    expect(findingOf(new Fault("os-failed", { message: "it broke", hint: "look" }))).toEqual({
      verdict: "failed",
      told: "it broke; look",
    });
    expect(findingOf(new Fault("not-permitted", { message: "it may not be read", hint: "run this as root" }))).toEqual({
      verdict: "skipped",
      told: "it may not be read; run it with sudo",
      fix: "sudo svc-upgrade doctor",
    });
  });

  test("keeps its name, and nothing that is thrown gets past it", async () => {
    expect(await check("disk", () => ({ verdict: "ok", told: "there is room" }))).toEqual({
      name: "disk",
      verdict: "ok",
      told: "there is room",
    });
    const broken = await check("disk", () => Promise.reject(new TypeError("x is undefined")));
    expect(broken).toMatchObject({ name: "disk", verdict: "failed", told: expect.stringContaining("x is undefined") as string });
  });
});
