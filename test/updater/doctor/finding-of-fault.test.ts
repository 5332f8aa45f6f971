import { describe, expect, test } from "vitest";
import { check, findingOf, toldWithHint } from "../../../src/updater/doctor/finding-of-fault.ts";
import { Fault } from "../../../src/rules/fault/fault.ts";

describe("a fault as a finding", () => {
  test("gives a command in the middle of a hint a line of its own", () => {
    const told = "it broke; type `sudo dpkg --configure -a`";
    expect(toldWithHint("it broke", "type `sudo dpkg --configure -a`")).toEqual({ told, fix: "sudo dpkg --configure -a" });
  });

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
