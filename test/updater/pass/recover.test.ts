import { describe, expect, test } from "vitest";
import { faultData } from "../../../src/rules/fault/explain.ts";
import { Fault } from "../../../src/rules/fault/fault.ts";
import type { Cause } from "../../../src/updater/record/state.ts";
import { closedSchedule, fakeHost, installed, now, openSchedule, type FakeHost } from "./given.ts";
import { cutOffAt, half, ill, keptOf, left, offline, pass, readOnly, script } from "./stage.ts";

const files = ["15.4.5", "15.4.6"];
const wasIll: Cause = { step: "health", fault: faultData(ill), evidence: [] };
const [forth, back] = ["install 15.4.6 same from its file", "install 15.4.5 down from its file"];

/** What a pass makes of what it found in hand. */
function noticed({ lines }: FakeHost): string | undefined {
  return lines.find(({ level }) => level === "notice")?.sentence;
}

describe("a pass after one that did not finish, with the network down", () => {
  test.each([
    [
      "before anything changed: it waits",
      "keep",
      { changingSince: undefined },
      installed("15.4.5"),
      ["await a-minute"],
      "unchanged",
      "15.4.5",
      undefined,
    ],
    [
      "in a transaction that did nothing: it looks",
      "install",
      {},
      installed("15.4.5"),
      ["await until-stopped", "mend"],
      "unchanged",
      "15.4.5",
      "15.4.5 is as it was",
    ],
    [
      "in a transaction that ended: it proves the new version",
      "install",
      {},
      installed("15.4.6"),
      ["await until-stopped", "mend", "activate", "health"],
      "finished",
      "15.4.6",
      "15.4.6 is in place; going on from there",
    ],
    [
      "in the proof: it proves it anew",
      "health",
      {},
      installed("15.4.6"),
      ["await until-stopped", "mend", "activate", "health"],
      "finished",
      "15.4.6",
      "15.4.6 is in place; going on from there",
    ],
    [
      "with a half-installed package: it goes on",
      "install",
      {},
      half,
      ["await until-stopped", "mend", forth, "activate", "health"],
      "finished",
      "15.4.6",
      "the package is half installed; going on to 15.4.6",
    ],
    [
      "twice with a half-installed package: it goes back",
      "install",
      { recoveries: 1 },
      half,
      ["await until-stopped", "await to-its-end", back, "activate", "health"],
      "undone",
      "15.4.5",
      "the package is half installed; going back to 15.4.5",
    ],
    [
      "twice in the proof: it goes back",
      "activate",
      { recoveries: 1 },
      installed("15.4.6"),
      ["await until-stopped", "await to-its-end", back, "activate", "health"],
      "undone",
      "15.4.5",
      "the package is half installed; going back to 15.4.5",
    ],
    [
      "on the rollback: it goes on back",
      "back-install",
      { cause: wasIll },
      half,
      ["await until-stopped", "mend", "await to-its-end", back, "activate", "health"],
      "undone",
      "15.4.5",
      "the package is half installed; going back to 15.4.5",
    ],
    [
      "after the rollback's transaction: it proves the old version",
      "back-install",
      { cause: wasIll },
      installed("15.4.5"),
      ["await until-stopped", "mend", "activate", "health"],
      "undone",
      "15.4.5",
      "15.4.5 is in place again; going on from there",
    ],
  ] as const)("%s", async (_title, step, more, present, did, ended, stays, says) => {
    const host = fakeHost({ installed: present, answer: offline, files });
    const record = await pass(host, { state: cutOffAt(step, more) });
    expect(host.did).toEqual(did);
    expect(noticed(host)).toBe(says);
    expect(record.recovered).toEqual({ step, served: "15.4.6", ended });
    expect(host.present()).toMatchObject({ packageVersion: stays, condition: "whole" });
    expect(record.outcome).toMatchObject({ kind: "stopped", fault: { code: "channel-unreachable" } });
    expect(left(host).step).toBeUndefined();
    expect(left(host).needsOperator).toBeUndefined();
  });

  test("tells what one before it has repaired, which was killed before it could record that", async () => {
    const host = fakeHost({ installed: installed("15.4.6"), answer: offline, files });
    await pass(host, { state: cutOffAt("install") });
    const mended = host.saved.findLast(({ step, recovered }) => step === undefined && recovered !== undefined);
    const next = await pass(host, { ...(mended && { state: mended }) });
    expect(next.recovered).toEqual({ step: "install", served: "15.4.6", ended: "finished" });
    const after = await pass(host, { state: left(host) });
    expect(after.recovered).toBeUndefined();
  });

  test.each(["activate", "health"])("ends for good where the agent was ill before and is ill still: %s", async (step) => {
    const fault = new Fault(step === "health" ? "unhealthy" : "activate-failed", { message: "svc.service is failed", hint: "" });
    const fails = [[step, fault]] as const;
    const host = fakeHost({ installed: installed("15.4.6"), answer: offline, files, fails, agent: "unhealthy" });
    const record = await pass(host, { state: cutOffAt("health", { agentBefore: "unhealthy" }) });
    expect(record.recovered?.ended).toBe("finished");
    expect(left(host)).toMatchObject({ step: undefined, needsOperator: undefined, rejected: [] });
    expect(host.present()).toMatchObject({ packageVersion: "15.4.6" });
  });

  test("finds a host as it was where nothing was installed before, and nothing is", async () => {
    const host = fakeHost({ installed: { kind: "absent" }, answer: offline });
    const { recovered } = await pass(host, { state: cutOffAt("install", { movement: "install", from: undefined }) });
    expect(recovered?.ended).toBe("unchanged");
    expect(noticed(host)).toBe("the host is as it was");
  });

  test("goes on without knowing how the agent was, where nobody had written that down", async () => {
    const host = fakeHost({ installed: installed("15.4.6"), answer: offline, files });
    const began: unknown[] = [];
    const watchUnit: typeof host.ports.acting.watchUnit = (begun) => {
      began.push(begun);
      return host.ports.acting.watchUnit(begun);
    };
    const ports = { ...host.ports, acting: { ...host.ports.acting, watchUnit } };
    await pass({ ports }, { state: cutOffAt("install", { agentBefore: undefined }) });
    expect(began).toEqual([{ before: "unknown", since: now - 60 }]);
  });

  test("begins no second rollback for one that did not finish where nothing can be written, and calls nobody", async () => {
    const host = fakeHost({ installed: half, answer: offline, files, fails: [[back, readOnly]] });
    const { recovered } = await pass(host, { state: cutOffAt("install", { recoveries: 1 }) });
    expect(recovered?.ended).toBe("not-mended");
    expect(left(host).needsOperator).toBeUndefined();
  });

  test("keeps what caused a failure that asks for an administrator", async () => {
    const deeper = new Fault("install-failed", { message: "it does not unpack", hint: "", cause: new Error("bad magic") });
    const host = fakeHost({ installed: half, answer: offline, files: ["15.4.6"], fails: [[forth, deeper]] });
    const failing = pass(host, { state: { ...cutOffAt("install"), kept: keptOf("15.4.6") } });
    await expect(failing).rejects.toMatchObject({ code: "way-back-failed", cause: new Error("bad magic") });
  });

  test("has it on the disk at once that nothing was changed, whatever becomes of the pass", async () => {
    const host = fakeHost({ answer: offline, files });
    await pass(host, { state: cutOffAt("keep", { changingSince: undefined }) });
    expect(host.saved[0]).toMatchObject({ step: undefined, recovered: { step: "keep", ended: "unchanged" } });
  });

  test("leaves a rollback to a later pass where nothing could be written either way, and calls nobody", async () => {
    const host = fakeHost({ installed: half, answer: offline, files, fails: [[back, readOnly]] });
    const unwritten: Cause = { step: "install", fault: faultData(readOnly), evidence: [] };
    const record = await pass(host, { state: cutOffAt("back-install", { cause: unwritten }) });
    expect(record.recovered?.ended).toBe("not-mended");
    expect(left(host).needsOperator).toBeUndefined();
  });

  test("lets go of what it has ended before it begins anything else", async () => {
    const host = fakeHost({ installed: installed("15.4.6"), answer: offline, files });
    await pass(host, { state: cutOffAt("install") });
    const ended = host.saved.findIndex(({ step, recovered }) => step === undefined && recovered !== undefined);
    expect(host.settled[0]).toBe(ended + 1);
  });

  test("puts the hold back that was lifted for the change", async () => {
    const host = fakeHost({ installed: installed("15.4.6"), answer: offline, files });
    await pass(host, { state: cutOffAt("install", { hold: "lifted" }) });
    expect(host.did).toEqual(["await until-stopped", "mend", "activate", "health", "hold again"]);
  });

  test("goes back from a half-installed package where the window has closed", async () => {
    const host = fakeHost({ installed: half, answer: offline, files, schedule: closedSchedule });
    expect((await pass(host, { state: cutOffAt("install") })).recovered?.ended).toBe("undone");
    expect(host.present()).toMatchObject({ packageVersion: "15.4.5" });
    expect(left(host).rejected).toEqual([]);
  });

  test("goes back from a version that turns out ill, and remembers it", async () => {
    const host = fakeHost({ installed: installed("15.4.6"), answer: offline, files, fails: [["health", ill]] });
    expect((await pass(host, { state: cutOffAt("activate") })).recovered?.ended).toBe("undone");
    expect(host.present()).toMatchObject({ packageVersion: "15.4.5" });
    expect(left(host).rejected).toMatchObject([{ served: "15.4.6", packageVersion: "15.4.6" }]);
  });

  test("asks for an administrator where a version turns out ill, and its rollback fails", async () => {
    const fails = [
      ["health", ill],
      [back, script],
    ] as const;
    const host = fakeHost({ installed: installed("15.4.6"), answer: offline, files, fails });
    await expect(pass(host, { state: cutOffAt("health") })).rejects.toMatchObject({
      code: "way-back-failed",
      message: "what an unfinished pass left could not be repaired: the step health failed: svc.service is failed",
    });
  });

  test.each([
    ["starts", "running", "stopped", ["activate"]],
    ["leaves", "running", "running", []],
    ["leaves", "stopped", "stopped", []],
  ] as const)("%s an agent that was %s before the cut-off transaction and is %s now", async (_verb, agentBefore, agent, did) => {
    const host = fakeHost({ answer: offline, files, agent });
    await pass(host, { state: cutOffAt("install", { agentBefore }) });
    expect(host.did).toEqual(["await until-stopped", "mend", ...did]);
  });

  test("leaves a half-installed package for which none is at hand to the repair of a later pass", async () => {
    const host = fakeHost({ installed: half, answer: offline });
    const { recovered } = await pass(host, { state: cutOffAt("install") });
    expect(recovered?.ended).toBe("not-mended");
    expect(noticed(host)).toBe("the package is half installed: no package is at hand that could be installed in its place");
    const state = left(host);
    expect(state).toMatchObject({ step: undefined, needsOperator: undefined });
    const online = fakeHost({ installed: half });
    expect((await pass(online, { state })).outcome).toMatchObject({ kind: "moved", to: "15.4.6" });
  });

  test("goes on with the fifth pass that tries to end it, and asks for an administrator at the sixth", async () => {
    const fifth = fakeHost({ installed: half, answer: offline, files });
    await pass(fifth, { state: cutOffAt("install", { recoveries: 4 }) });
    expect(fifth.present()).toMatchObject({ packageVersion: "15.4.5", condition: "whole" });
    const sixth = fakeHost({ installed: half, answer: offline, files });
    await expect(pass(sixth, { state: cutOffAt("install", { recoveries: 5 }) })).rejects.toMatchObject({
      code: "way-back-failed",
    });
    expect(left(sixth)).toMatchObject({ step: undefined, needsOperator: { at: now } });
  });

  test("asks for an administrator where nothing helps", async () => {
    const fails = [forth, back].map((deed) => [deed, script] as const);
    const failing = fakeHost({ installed: half, answer: offline, files, fails });
    await expect(pass(failing, { state: cutOffAt("install") })).rejects.toMatchObject({
      code: "way-back-failed",
      message: expect.stringContaining("the step install failed: postinst failed"),
    });
    expect(left(failing).needsOperator).toBeDefined();
    expect(left(failing).step).toBeUndefined();
  });

  test("leaves a half-installed package to a later pass where nothing can be written", async () => {
    const fails = [forth, back].map((deed) => [deed, readOnly, 9] as const);
    const host = fakeHost({ installed: half, answer: offline, files, fails });
    const { recovered } = await pass(host, { state: cutOffAt("install") });
    expect(recovered?.ended).toBe("not-mended");
    const state = left(host);
    expect(state).toMatchObject({ step: undefined, needsOperator: undefined, rejected: [] });
    const writable = fakeHost({ installed: half, files });
    // The same pass had tried to repair it once more, and its wait is over by now.
    expect((await pass(writable, { state: { ...state, backoff: undefined } })).outcome).toMatchObject({
      kind: "moved",
      to: "15.4.6",
    });
    // The rollback from a version that was ill: somebody has to look.
    const stuck = fakeHost({ installed: half, answer: offline, files, fails });
    await expect(pass(stuck, { state: cutOffAt("back-install", { cause: wasIll }) })).rejects.toMatchObject({
      code: "way-back-failed",
    });
  });

  test("keeps what it knows for the next pass where it does not finish, or is stopped by a lock, itself", async () => {
    const busy = new Fault("manager-busy", { message: "apt is locked", hint: "wait" });
    const host = fakeHost({ installed: half, answer: offline, files, fails: [["mend", busy]] });
    await expect(pass(host, { state: cutOffAt("install") })).rejects.toBe(busy);
    expect(left(host).step).toMatchObject({ step: "install", recoveries: 1, from: "15.4.5", to: "15.4.6" });
  });
});

test("after a recovery the pass goes on: to what is served by now", async () => {
  const host = fakeHost({ installed: installed("15.4.6"), files, schedule: openSchedule });
  const record = await pass(host, { state: cutOffAt("verify") });
  expect(record.decision).toMatchObject({ kind: "stay", why: "current" });
  expect(record.steps.map(({ step }) => step)).toEqual(["verify", "activate", "health"]);
});
