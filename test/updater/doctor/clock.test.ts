import { describe, expect, test } from "vitest";
import { tellClock, type ClockScene } from "../../../src/updater/doctor/clock.ts";

const keeper = { start: "start the keeper", look: "look at the keeper" };
const scene: ClockScene = { verdict: { kind: "plausible" }, keeping: "synchronised", keeper, install: "install" };
const wrong = { kind: "wrong", why: "it is too early" } as const;

describe("the clock", () => {
  test.each<readonly [Partial<ClockScene>, string, string | undefined, string]>([
    [{ keeping: "around" }, "ok", undefined, "the machine around this container"],
    [{ keeping: "unknown" }, "ok", undefined, "not known"],
    [{ keeping: "off" }, "warning", "start the keeper", "synchronisation is off"],
    [{ keeping: "not-yet" }, "warning", "look at the keeper", "is not synchronised"],
    [{ keeping: "nobody" }, "warning", "start the keeper", "nothing synchronises it"],
    [{ keeping: "nobody", keeper: undefined }, "warning", "install", "nothing synchronises it"],
    [{ verdict: wrong }, "failed", "start the keeper", "it is too early"],
    [{ verdict: wrong, keeper: undefined }, "failed", "sudo date -s 'YYYY-MM-DD HH:MM' && install", "nothing here keeps it"],
    [{ verdict: wrong, keeper: undefined, install: undefined }, "failed", "sudo date -s 'YYYY-MM-DD HH:MM'", "by hand"],
    [{ verdict: wrong, keeping: "around" }, "failed", undefined, "set it there"],
    [{ verdict: { kind: "redated", why: "it went back" } }, "ok", undefined, "synchronised"],
  ])("as %j", (changes, verdict, fix, says) => {
    const finding = tellClock(1_800_000_000, { ...scene, ...changes });
    expect([finding.verdict, finding.fix]).toEqual([verdict, fix]);
    expect(finding.told).toContain("the clock says 2027-01-15T08:00:00Z");
    expect(finding.told).toContain(says);
  });
});
