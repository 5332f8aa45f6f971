import { describe, expect, test } from "vitest";
import { Fault } from "../../../src/rules/fault/fault.ts";
import { faultTable, type FaultCode } from "../../../src/rules/fault/table.ts";
import { orInterrupted } from "../../../src/updater/package/failure/interrupted.ts";
import { isLeftInHand } from "../../../src/updater/pass/left-in-hand.ts";
import type { StepName } from "../../../src/updater/record/state.ts";
import { fakeHost, installed, packageVersion, stateWith, version, type FakeHost, type FakeOptions } from "./given.ts";
import { half, ill, keptOf, killed, left, pass, script, stepAt } from "./stage.ts";

describe("a host that goes down in the middle of a move", () => {
  /** The stop comes with that deed, as a shutdown stops the pass too. */
  function goesDownAt(deed: string, options: FakeOptions = {}): FakeHost {
    const stop = new AbortController();
    return fakeHost({
      ...options,
      stopping: stop.signal,
      isGoingDown: () => stop.signal.aborted,
      before: (did) => {
        if (did === deed) stop.abort();
      },
    });
  }

  test("leaves the rest to the next boot, whose first pass ends it", async () => {
    const host = goesDownAt("install 15.4.6 up");
    await expect(pass(host)).rejects.toMatchObject({ code: "stopping" });
    expect(host.did.at(-1)).toBe("install 15.4.6 up");
    expect(left(host)).toMatchObject({ step: { step: "install", to: "15.4.6" }, rejected: [], needsOperator: undefined });
    const booted = fakeHost({ installed: host.present(), files: [...host.files] });
    const { recovered, outcome } = await pass(booted, { state: left(host) });
    expect(recovered).toMatchObject({ ended: "finished" });
    expect(outcome.kind).toBe("stayed");
    expect(left(booted).rejected).toEqual([]);
  });

  test.each([
    ["install", "install 15.4.6 up", new Fault("stopping", { message: "no transaction is begun any more", hint: "" })],
    ["install", "install 15.4.6 up", script],
    ["activate", "activate", new Fault("activate-failed", { message: "the start is destructive", hint: "" })],
    ["health", "health", ill],
  ] as const)("blames nothing for what fails then in the step %s", async (step, deed, fault) => {
    const host = goesDownAt(deed, { fails: [[deed, fault]] });
    // A stop that came with the step before it would end the pass there.
    await expect(pass(host)).rejects.toMatchObject({ code: "stopping" });
    expect(left(host)).toMatchObject({ step: { step }, rejected: [], backoff: undefined, needsOperator: undefined });
    expect(host.did.filter((did) => did.includes("15.4.5 down"))).toEqual([]);
  });

  test("begins no rollback", async () => {
    const host = goesDownAt("nothing", {
      breaksAt: { deed: "install 15.4.6 up", leaves: half, fault: script },
      isGoingDown: () => false,
    });
    await pass(host);
    expect(host.did).toContain("install 15.4.5 down from its file");
    const down = goesDownAt("await to-its-end", { breaksAt: { deed: "install 15.4.6 up", leaves: half, fault: script } });
    await expect(pass(down)).rejects.toMatchObject({ code: "stopping" });
    expect(left(down).step).toMatchObject({ step: "back-install", cause: { fault: { code: "install-failed" } } });
  });

  test("is asked about only once the pass is stopped, or something has failed", async () => {
    const isGoingDown = (): never => {
      throw new Error("nobody needs to be asked");
    };
    expect((await pass(fakeHost({ isGoingDown }))).outcome.kind).toBe("moved");
  });
});

describe("what says nothing of the version", () => {
  test.each([
    ["a question to the database that was ended", killed],
    ["systemd that gives no answer", new Fault("os-failed", { message: "systemctl show failed", hint: "" })],
  ])("leaves the move in hand, and the next pass ends it: %s", async (_title, fault) => {
    const host = fakeHost({ fails: [["activate", fault]] });
    await expect(pass(host)).rejects.toBe(fault);
    expect(left(host)).toMatchObject({ step: { step: "activate" }, rejected: [], needsOperator: undefined });
    const { recovered } = await pass(host, { state: left(host) });
    expect(recovered).toMatchObject({ step: "activate", ended: "finished" });
    expect(host.did.slice(-2)).toEqual(["activate", "health"]);
  });

  test("is a transaction that goes on: nothing is looked at before its end", async () => {
    const busy = new Fault("busy", { message: "a transaction is still running after 30 minutes", hint: "" });
    const host = fakeHost({ fails: [["install 15.4.6 up", busy]] });
    await expect(pass(host)).rejects.toBe(busy);
    expect(host.did.at(-1)).toBe("fetch 15.4.5");
  });

  test("keeps no broken version: a rollback that is ended again and again is gone on with", async () => {
    const back = "install 15.4.5 down from its file";
    const host = fakeHost({
      fails: [
        ["health", ill],
        [back, killed, 2],
      ],
    });
    await expect(pass(host)).rejects.toBe(killed);
    expect(left(host)).toMatchObject({ step: { step: "back-install" }, needsOperator: undefined });
    const { recovered } = await pass(host, { state: left(host) });
    expect(recovered).toMatchObject({ ended: "undone" });
    expect(host.present()).toMatchObject({ packageVersion: "15.4.5" });
    expect(left(host).rejected).toMatchObject([{ packageVersion: "15.4.6" }]);
  });

  test("asks for an administrator after five such passes", async () => {
    const back = "install 15.4.5 down from its file";
    const host = fakeHost({
      fails: [
        ["health", ill],
        [back, killed, 100],
      ],
    });
    await expect(pass(host)).rejects.toBe(killed);
    for (let passes = 1; passes <= 5; passes += 1) await expect(pass(host, { state: left(host) })).rejects.toBe(killed);
    await expect(pass(host, { state: left(host) })).rejects.toMatchObject({ code: "way-back-failed" });
    expect(left(host).needsOperator).toBeDefined();
  });

  test("is a script that was ended, though rpm calls its package whole", async () => {
    const ended = orInterrupted(script, "warning: %post(svc-ent-15.4.6-1.x86_64) scriptlet failed, signal 9");
    const host = fakeHost({ breaksAt: { deed: "install 15.4.6 up", leaves: installed("15.4.6"), fault: ended } });
    expect((await pass(host)).outcome).toMatchObject({ kind: "undone", fault: { code: "interrupted" } });
    expect(left(host)).toMatchObject({ rejected: [], backoff: { served: "15.4.6", cause: { code: "interrupted" } } });
  });
});

test("an installation that was ended with the old version still there, whole, has failed, and there is nothing to go back from", async () => {
  const host = fakeHost({ breaksAt: { deed: "install 15.4.6 up", leaves: installed("15.4.5"), fault: killed } });
  const { outcome } = await pass(host);
  expect(outcome).toMatchObject({ kind: "failed", step: "install", fault: { code: "interrupted" }, back: undefined });
  expect(host.did.at(-1)).toBe("install 15.4.6 up");
});

describe("what the acting side refuses", () => {
  const refused = new Fault("overtaken", { message: "nothing was changed: outside the maintenance window", hint: "" });

  test("in a move that is in hand it will let pass another day: nobody is called, and nothing is lost", async () => {
    // Killed before the acting side had written anything down: half a package, and no open move there.
    const from = packageVersion("15.4.5");
    const step = stepAt("install", { movement: "repair", served: version("15.4.5"), from, to: from });
    const host = fakeHost({
      installed: installed("15.4.5", { condition: "half-way" }),
      files: ["15.4.5"],
      schedule: { kind: "never" },
      fails: [["install 15.4.5 same from its file", refused, 9]],
    });
    const { recovered, outcome } = await pass(host, { state: stateWith({ step, kept: keptOf("15.4.5") }) });
    expect(recovered).toMatchObject({ ended: "not-mended" });
    expect(outcome.kind).toBe("stayed");
    expect(left(host)).toMatchObject({ needsOperator: undefined, step: undefined, kept: keptOf("15.4.5") });
    expect(host.settled).not.toEqual([]);
  });

  test("in a rollback leaves the move in hand for the next pass", async () => {
    const host = fakeHost({
      fails: [
        ["health", ill],
        ["install 15.4.5 down from its file", refused],
      ],
    });
    await expect(pass(host)).rejects.toMatchObject({ code: "overtaken" });
    expect(left(host)).toMatchObject({ step: { step: "back-install" }, needsOperator: undefined, rejected: [] });
  });
});

describe("a move stays in hand", () => {
  const codes = Object.keys(faultTable) as FaultCode[];
  const isLeft = (step: StepName): readonly FaultCode[] =>
    codes.filter((code) => isLeftInHand(new Fault(code, { message: "it failed", hint: "" }), step));

  test.each(["refresh", "offer", "simulate", "keep"] as const)("never before anything has changed: %s", (step) => {
    expect(isLeft(step)).toEqual([]);
  });

  test("from its transaction on for one that goes on, or that was not begun any more", () => {
    expect(isLeft("install").toSorted()).toEqual(["busy", "stopping"]);
  });

  test.each(["verify", "activate", "health"] as const)("in its proof for whatever is no verdict: %s", (step) => {
    const verdicts = codes.filter((code) => !isLeft(step).includes(code));
    expect(verdicts.toSorted()).toEqual(["activate-failed", "bug", "unhealthy", "verify-failed"]);
  });

  test.each(["back-install", "back-verify", "back-activate", "back-health"] as const)(
    "on its rollback for what passes by itself: %s",
    (step) => {
      expect(isLeft(step).toSorted()).toEqual([
        "busy",
        "interrupted",
        "manager-busy",
        "os-failed",
        "overtaken",
        "state-unwritable",
        "stopping",
      ]);
    },
  );
});
