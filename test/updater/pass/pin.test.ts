import { describe, expect, test } from "vitest";
import { closedSchedule, fakeHost, installed, now, packageVersion, serves, settings, stateWith, version } from "./given.ts";
import { cutOffAt, half, keptOf, left, offline, pass } from "./stage.ts";
import { statusOf } from "../../../src/updater/pass/pass-under-locks.ts";

const pinned = (text: string) => ({ version: version(text), reason: undefined });
const values = (text: string): object => ({ pin: { version: text } });

function sentences({ lines }: { readonly lines: readonly { readonly sentence: string }[] }): readonly string[] {
  return lines.map(({ sentence }) => sentence);
}

describe("a pinned host", () => {
  test("moves to the pinned version, and not to the served one", async () => {
    const host = fakeHost({ offers: ["15.4.7", "15.4.6", "15.4.5"], answer: serves("15.4.7"), pinMeanwhile: pinned("15.4.6") });
    const record = await pass(host, { values: values("15.4.6") });
    expect(record).toMatchObject({ pin: "15.4.6", served: "15.4.7", outcome: { kind: "moved", to: "15.4.6" } });
    expect(sentences(host)[0]).toMatch(
      /^an upgrade is available \(15\.4\.5 -> 15\.4\.7\), upgrading to 15\.4\.6 now: 15\.4\.6 is pinned; the maintenance window is open/,
    );
  });

  test("moves there while the version server is away, and that is still recorded", async () => {
    const host = fakeHost({ answer: offline, pinMeanwhile: pinned("15.4.6") });
    const record = await pass(host, { values: values("15.4.6") });
    expect(record).toMatchObject({ outcome: { kind: "moved", to: "15.4.6" }, unanswered: { code: "channel-unreachable" } });
    expect(statusOf(record)).toBe(0);
    expect(left(host).silentSince).toBe(now);
  });

  test("stays while the version server is away, and the silence is told", async () => {
    const host = fakeHost({ answer: offline });
    const record = await pass(host, { values: values("15.4.5") });
    expect(record).toMatchObject({
      decision: { kind: "stay", why: "pinned" },
      outcome: { kind: "stayed" },
      unanswered: { code: "channel-unreachable" },
    });
    expect(statusOf(record)).toBe(75);
    expect(sentences(host)).toEqual([
      "no answer; wait",
      "pinned to 15.4.5; the channel gave no answer; lifted by: svc-upgrade unpin",
    ]);
    const longer = fakeHost({ answer: offline });
    const state = stateWith({ silentSince: now - 100_000 });
    expect(statusOf(await pass(longer, { values: values("15.4.5"), state }))).toBe(69);
  });

  test("goes with the channel again as soon as the pin that led down is taken back", async () => {
    const offers = ["15.4.6", "15.4.5"];
    const host = fakeHost({ installed: installed("15.4.6"), offers, pinMeanwhile: pinned("15.4.5") });
    const back = await pass(host, { values: { ...values("15.4.5"), downgrade: "allow" } });
    expect(back.outcome).toMatchObject({ kind: "moved", to: "15.4.5" });
    const again = fakeHost({ offers });
    const record = await pass(again, { values: { downgrade: "allow" }, state: left(host) });
    expect(record).toMatchObject({ decision: { why: "window" }, outcome: { kind: "moved", to: "15.4.6" } });
    expect(left(again).previous).toEqual({ version: "15.4.5", packageVersion: "15.4.5", leftAt: now });
  });

  test.each([
    ["set", undefined, pinned("15.4.5"), "15.4.5 was pinned while the pass prepared"],
    ["taken away", "15.4.6", undefined, "the pin was taken away while the pass prepared"],
  ])("changes nothing where the pin was %s meanwhile", async (_how, before, pinMeanwhile, why) => {
    const host = fakeHost({ pinMeanwhile });
    const record = await pass(host, before === undefined ? {} : { values: values(before) });
    expect(record.outcome).toMatchObject({
      kind: "failed",
      back: undefined,
      fault: { code: "overtaken", message: `nothing was changed: ${why}` },
    });
    expect(host.did.filter((deed) => deed.startsWith("install"))).toEqual([]);
    expect(left(host).backoff).toBeUndefined();
  });

  test("ends a move that did not finish where it was going back from, if another version is pinned by now", async () => {
    const files = ["15.4.6", "15.4.5"];
    const without = fakeHost({ installed: half, files });
    await pass(without, { state: cutOffAt("install") });
    expect(without.did).toContain("install 15.4.6 same from its file");
    const host = fakeHost({ installed: half, files, pinMeanwhile: pinned("15.4.5") });
    const record = await pass(host, { state: cutOffAt("install"), values: values("15.4.5") });
    expect(host.did).toContain("install 15.4.5 down from its file");
    expect(record).toMatchObject({ recovered: { ended: "undone" } });
  });

  test.each([
    [
      "15.4.5",
      "15.4.5 is still pinned, and rejected now: nothing moves until `svc-upgrade unpin`, or `svc-upgrade retry`, which goes to it again",
    ],
    ["15.4.7", "15.4.7 is still pinned: a later pass moves to it; to follow the channel instead: `svc-upgrade unpin`"],
    ["15.4.4", undefined],
  ])("is told after a rollback what the pin on %s leads to", async (text, told) => {
    const previous = { version: version("15.4.4"), packageVersion: packageVersion("15.4.4"), leftAt: now - 60 };
    const state = stateWith({ previous, kept: keptOf("15.4.4") });
    const host = fakeHost({ installed: installed("15.4.5"), files: ["15.4.4"], schedule: closedSchedule });
    const record = await pass(host, { values: values(text), state, asked: { when: "back", absent: "stop" } });
    expect(record.outcome).toMatchObject({ kind: "moved", to: "15.4.4" });
    expect(sentences(host).filter((sentence) => sentence.includes("pinned"))).toEqual(told === undefined ? [] : [told]);
    expect(settings(values(text)).pin?.version).toBe(text);
  });
});
