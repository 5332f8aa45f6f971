import { describe, expect, test } from "vitest";
import { tellClock, type ClockScene } from "../../src/doctor/clock.ts";

const scene: ClockScene = { verdict: { kind: "plausible" }, keeping: "synchronised", install: "install" };

describe("the clock", () => {
  test.each<readonly [Partial<ClockScene>, string, string | undefined, string]>([
    [{}, "ok", undefined, "synchronised"],
    [{ keeping: "around" }, "ok", undefined, "the machine around this container"],
    [{ keeping: "unknown" }, "ok", undefined, "not known"],
    [{ keeping: "off" }, "warning", "sudo timedatectl set-ntp true", "synchronisation is off"],
    [{ keeping: "not-yet" }, "warning", "timedatectl timesync-status", "is not synchronised"],
    [{ keeping: "nobody" }, "warning", "install", "nothing synchronises it"],
    [{ keeping: "nobody", install: undefined }, "warning", undefined, "nothing synchronises it"],
    [{ verdict: { kind: "wrong", why: "it is too early" } }, "failed", "sudo timedatectl set-ntp true", "it is too early"],
    [{ verdict: { kind: "redated", why: "it went back" } }, "ok", undefined, "synchronised"],
  ])("as %j", (changes, verdict, fix, says) => {
    const finding = tellClock(1_800_000_000, { ...scene, ...changes });
    expect([finding.verdict, finding.fix]).toEqual([verdict, fix]);
    expect(finding.told).toContain("the clock says 2027-01-15T08:00:00Z");
    expect(finding.told).toContain(says);
  });
});
