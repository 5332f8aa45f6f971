import { describe, expect, test } from "vitest";
import { Fault } from "../../src/fault/fault.ts";
import { runPass } from "../../src/pass/pass.ts";
import type { Asked } from "../../src/plan/policy.ts";
import { emptyState, type State, type StepInHand, type StepName } from "../../src/record/state.ts";
import {
  closedSchedule,
  fakeHost,
  installed,
  now,
  openSchedule,
  packageVersion,
  settings,
  stateWith,
  version,
  type FakeHost,
} from "./given.ts";

const timer: Asked = { when: "timer", absent: "stop" };
const fault = { code: "channel-unreachable", message: "no answer", hint: "wait", causes: [] } as const;
/** The next pass often comes before the network does. */
const offline = { kind: "fault", fault } as const;

const kept = ["15.4.6", "15.4.5"].map((text) => ({ packageVersion: packageVersion(text), file: text, sha256: "x", bytes: 1 }));

function cutOffAt(step: StepName, more: Partial<StepInHand> = {}): State {
  const begun: StepInHand = {
    pass: "old",
    step,
    movement: "upgrade",
    why: "window",
    startedAt: now - 60,
    served: version("15.4.6"),
    from: packageVersion("15.4.5"),
    to: packageVersion("15.4.6"),
    agentBefore: "running",
    changingSince: now - 60,
    hold: "none",
    cause: undefined,
    recoveries: 0,
    done: [],
    ...more,
  };
  return stateWith({ step: begun, kept });
}

function pass(host: FakeHost, state: State): ReturnType<typeof runPass> {
  return runPass({ settings: settings(), asked: timer, state }, host.ports);
}

const half = installed("15.4.6", { condition: "half-way" });
const files = ["15.4.5", "15.4.6"];
const cause = { step: "health", fault: { ...fault, code: "unhealthy" }, evidence: [] } as const;

describe("a pass after one that was cut off, with the network down", () => {
  test.each([
    [
      "before anything changed: it waits",
      "keep",
      { changingSince: undefined },
      installed("15.4.5"),
      ["await a-minute"],
      "unchanged",
      "15.4.5",
    ],
    [
      "in a transaction that did nothing: it looks",
      "install",
      {},
      installed("15.4.5"),
      ["await until-stopped", "mend"],
      "unchanged",
      "15.4.5",
    ],
    [
      "in a transaction that ended: it proves the new version",
      "install",
      {},
      installed("15.4.6"),
      ["await until-stopped", "mend", "activate", "health"],
      "finished",
      "15.4.6",
    ],
    [
      "in the proof: it proves it anew",
      "health",
      {},
      installed("15.4.6"),
      ["await until-stopped", "mend", "activate", "health"],
      "finished",
      "15.4.6",
    ],
    [
      "with a half-installed package: it goes on",
      "install",
      {},
      half,
      ["await until-stopped", "mend", "install 15.4.6 same from its file", "activate", "health"],
      "finished",
      "15.4.6",
    ],
    [
      "twice with a half-installed package: it goes back",
      "install",
      { recoveries: 1 },
      half,
      ["await until-stopped", "await to-its-end", "install 15.4.5 down from its file", "activate", "health"],
      "undone",
      "15.4.5",
    ],
    [
      "twice in the proof: it goes back",
      "activate",
      { recoveries: 1 },
      installed("15.4.6"),
      ["await until-stopped", "await to-its-end", "install 15.4.5 down from its file", "activate", "health"],
      "undone",
      "15.4.5",
    ],
    [
      "on the rollback: it goes on back",
      "back-install",
      { cause },
      half,
      ["await until-stopped", "mend", "await to-its-end", "install 15.4.5 down from its file", "activate", "health"],
      "undone",
      "15.4.5",
    ],
    [
      "after the rollback's transaction: it proves the old version",
      "back-install",
      { cause },
      installed("15.4.5"),
      ["await until-stopped", "mend", "activate", "health"],
      "undone",
      "15.4.5",
    ],
  ] as const)("%s", async (_title, step, more, present, did, ended, stays) => {
    const host = fakeHost({ installed: present, answer: offline, files });
    const record = await pass(host, cutOffAt(step, more));
    expect(host.did).toEqual(did);
    expect(record.recovered).toEqual({ step, served: "15.4.6", ended });
    expect(host.present()).toMatchObject({ packageVersion: stays, condition: "whole" });
    expect(record.outcome).toMatchObject({ kind: "stopped", fault: { code: "channel-unreachable" } });
    expect(host.saved.at(-1)?.step).toBeUndefined();
    expect(host.saved.at(-1)?.needsOperator).toBeUndefined();
  });

  test("tells what one before it has mended, which was killed before it could record that", async () => {
    const host = fakeHost({ installed: installed("15.4.6"), answer: offline, files });
    await pass(host, cutOffAt("install"));
    const mended = host.saved.findLast(({ step, recovered }) => step === undefined && recovered !== undefined);
    const next = await pass(host, mended ?? emptyState);
    expect(next.recovered).toEqual({ step: "install", served: "15.4.6", ended: "finished" });
    const after = await pass(host, host.saved.at(-1) ?? emptyState);
    expect(after.recovered).toBeUndefined();
  });

  test.each(["activate", "health"])("ends for good where the agent was ill before and is ill still: %s", async (step) => {
    const ill = new Fault(step === "health" ? "unhealthy" : "activate-failed", { message: "svc.service is failed", hint: "" });
    const before = (deed: string): void => {
      if (deed === step) throw ill;
    };
    const host = fakeHost({ installed: installed("15.4.6"), answer: offline, files, before, agent: "unhealthy" });
    const record = await pass(host, cutOffAt("health", { agentBefore: "unhealthy" }));
    expect(record.recovered?.ended).toBe("finished");
    expect(host.saved.at(-1)).toMatchObject({ step: undefined, needsOperator: undefined, rejected: [] });
    expect(host.present()).toMatchObject({ packageVersion: "15.4.6" });
  });

  test("calls for a person where its file cannot be written to, and nothing says that this will pass", async () => {
    const readOnly = new Fault("read-only", { message: "/usr is read-only", hint: "" });
    const before = (deed: string): void => {
      if (deed.startsWith("install")) throw readOnly;
    };
    const host = fakeHost({ installed: half, answer: offline, files: ["15.4.6"], before });
    const state = { ...cutOffAt("install"), kept: kept.slice(0, 1) };
    await expect(pass(host, state)).rejects.toMatchObject({ code: "way-back-failed" });
    expect(host.saved.at(-1)?.needsOperator).toBeDefined();
  });

  test("waits before it tries a version again at which two passes in a row were cut off", async () => {
    const host = fakeHost({ installed: half, answer: offline, files });
    await pass(host, cutOffAt("install", { recoveries: 1 }));
    expect(host.saved.at(-1)?.backoff).toMatchObject({ served: "15.4.6", cause: { code: "interrupted" } });
    expect(host.saved.at(-1)?.rejected).toEqual([]);
  });

  test("says at the start what was cut off, and what it makes of that", async () => {
    const host = fakeHost({ installed: installed("15.4.6"), answer: offline, files });
    await pass(host, cutOffAt("install"));
    expect(host.lines.slice(0, 2)).toMatchObject([
      { level: "warning", fields: { pass: "old" } },
      { level: "notice", sentence: expect.stringContaining("15.4.6") },
    ]);
  });

  test("keeps what caused a failure that calls for a person", async () => {
    const deeper = new Fault("install-failed", { message: "it does not unpack", hint: "", cause: new Error("bad magic") });
    const before = (deed: string): void => {
      if (deed.startsWith("install")) throw deeper;
    };
    const host = fakeHost({ installed: half, answer: offline, files: ["15.4.6"], before });
    const failing = pass(host, { ...cutOffAt("install"), kept: kept.slice(0, 1) });
    await expect(failing).rejects.toMatchObject({ code: "way-back-failed", cause: new Error("bad magic") });
  });

  test("has it on the disk at once that nothing was changed, whatever becomes of the pass", async () => {
    const host = fakeHost({ answer: offline, files });
    await pass(host, cutOffAt("keep", { changingSince: undefined }));
    expect(host.saved[0]).toMatchObject({ step: undefined, recovered: { step: "keep", ended: "unchanged" } });
  });

  test("leaves a rollback to a later pass where nothing could be written either way, and calls nobody", async () => {
    const readOnly = new Fault("read-only", { message: "/usr is read-only", hint: "" });
    const before = (deed: string): void => {
      if (deed.startsWith("install")) throw readOnly;
    };
    const host = fakeHost({ installed: half, answer: offline, files, before });
    const unwritten = { step: "install", fault: { ...fault, code: "read-only" }, evidence: [] } as const;
    const record = await pass(host, cutOffAt("back-install", { cause: unwritten }));
    expect(record.recovered?.ended).toBe("not-mended");
    expect(host.saved.at(-1)?.needsOperator).toBeUndefined();
  });

  test("lets go of what it has ended before it begins anything else", async () => {
    const host = fakeHost({ installed: installed("15.4.6"), answer: offline, files });
    await pass(host, cutOffAt("install"));
    const ended = host.saved.findIndex(({ step, recovered }) => step === undefined && recovered !== undefined);
    expect(host.settled[0]).toBe(ended + 1);
  });

  test("puts the hold back that was lifted for the change", async () => {
    const host = fakeHost({ installed: installed("15.4.6"), answer: offline, files });
    await pass(host, cutOffAt("install", { hold: "lifted" }));
    expect(host.did).toEqual(["await until-stopped", "mend", "activate", "health", "hold again"]);
  });

  test("goes back from a half-installed package where the window has closed", async () => {
    const host = fakeHost({ installed: half, answer: offline, files, schedule: closedSchedule });
    expect((await pass(host, cutOffAt("install"))).recovered?.ended).toBe("undone");
    expect(host.present()).toMatchObject({ packageVersion: "15.4.5" });
    expect(host.saved.at(-1)?.rejected).toEqual([]);
  });

  test("goes back from a version that turns out ill, and remembers it", async () => {
    let ills = 1;
    const host = fakeHost({
      installed: installed("15.4.6"),
      answer: offline,
      files,
      before: (deed) => {
        if (deed === "health" && ills-- > 0) throw new Fault("unhealthy", { message: "svc.service is failed", hint: "" });
      },
    });
    expect((await pass(host, cutOffAt("activate"))).recovered?.ended).toBe("undone");
    expect(host.present()).toMatchObject({ packageVersion: "15.4.5" });
    expect(host.saved.at(-1)?.rejected).toMatchObject([{ served: "15.4.6", packageVersion: "15.4.6" }]);
  });

  test.each([
    ["starts", "running", "stopped", ["activate"]],
    ["starts", "unhealthy", "stopped", ["activate"]],
    ["leaves", "running", "running", []],
    ["leaves", "stopped", "stopped", []],
    ["leaves", "unknown", "stopped", []],
  ] as const)("%s an agent that was %s before the cut-off transaction and is %s now", async (_verb, agentBefore, agent, did) => {
    const host = fakeHost({ answer: offline, files, agent });
    await pass(host, cutOffAt("install", { agentBefore }));
    expect(host.did).toEqual(["await until-stopped", "mend", ...did]);
  });

  test("leaves a half-installed package for which none is at hand to the repair of a later pass", async () => {
    const host = fakeHost({ installed: half, answer: offline });
    const { recovered } = await pass(host, cutOffAt("install"));
    expect(recovered?.ended).toBe("not-mended");
    const state = host.saved.at(-1) ?? emptyState;
    expect(state).toMatchObject({ step: undefined, needsOperator: undefined });
    const online = fakeHost({ installed: half });
    expect((await pass(online, state)).outcome).toMatchObject({ kind: "moved", to: "15.4.6" });
  });

  test("goes on with the fifth pass that tries to end it, and calls for a person at the sixth", async () => {
    const fifth = fakeHost({ installed: half, answer: offline, files });
    await pass(fifth, cutOffAt("install", { recoveries: 4 }));
    expect(fifth.present()).toMatchObject({ packageVersion: "15.4.5", condition: "whole" });
    const sixth = fakeHost({ installed: half, answer: offline, files });
    await expect(pass(sixth, cutOffAt("install", { recoveries: 5 }))).rejects.toMatchObject({ code: "way-back-failed" });
  });

  test("calls for a person where passes are cut off again and again, or nothing helps", async () => {
    const again = fakeHost({ installed: half, answer: offline, files });
    await expect(pass(again, cutOffAt("install", { recoveries: 5 }))).rejects.toMatchObject({ code: "way-back-failed" });
    const failing = fakeHost({
      installed: half,
      answer: offline,
      files,
      before: (deed) => {
        if (deed.startsWith("install")) throw new Fault("install-failed", { message: "it does not unpack", hint: "" });
      },
    });
    await expect(pass(failing, cutOffAt("install"))).rejects.toMatchObject({ code: "way-back-failed" });
    for (const { saved } of [again, failing]) {
      expect(saved.at(-1)?.needsOperator).toBeDefined();
      expect(saved.at(-1)?.step).toBeUndefined();
    }
  });

  test("leaves a half-installed package to a later pass where nothing can be written", async () => {
    const readOnly = new Fault("read-only", { message: "/usr is read-only", hint: "" });
    const before = (deed: string): void => {
      if (deed.startsWith("install")) throw readOnly;
    };
    const host = fakeHost({ installed: half, answer: offline, files, before });
    const { recovered } = await pass(host, cutOffAt("install"));
    expect(recovered?.ended).toBe("not-mended");
    const state = host.saved.at(-1) ?? emptyState;
    expect(state).toMatchObject({ step: undefined, needsOperator: undefined, rejected: [] });
    const writable = fakeHost({ installed: half, files });
    // The same pass had tried to repair it once more, and its wait is over by now.
    expect((await pass(writable, { ...state, backoff: undefined })).outcome).toMatchObject({ kind: "moved", to: "15.4.6" });
    // The rollback from a version that was ill: somebody has to look.
    const ill = {
      step: "health",
      fault: { code: "unhealthy", message: "it crashes", hint: "", causes: [] },
      evidence: [],
    } as const;
    const stuck = fakeHost({ installed: half, answer: offline, files, before });
    await expect(pass(stuck, cutOffAt("back-install", { cause: ill, agentBefore: "running" }))).rejects.toMatchObject({
      code: "way-back-failed",
    });
  });

  test("keeps what it knows for the next pass where it is cut off or stopped by a lock itself", async () => {
    const busy = new Fault("manager-busy", { message: "apt is locked", hint: "wait" });
    const host = fakeHost({
      installed: half,
      answer: offline,
      files,
      before: (deed) => {
        if (deed === "mend") throw busy;
      },
    });
    await expect(pass(host, cutOffAt("install"))).rejects.toBe(busy);
    expect(host.saved.at(-1)?.step).toMatchObject({ step: "install", recoveries: 1, from: "15.4.5", to: "15.4.6" });
  });
});

test("after a recovery the pass goes on: to what is served by now", async () => {
  const host = fakeHost({ installed: installed("15.4.6"), files, schedule: openSchedule });
  const record = await pass(host, cutOffAt("verify"));
  expect(record.decision).toMatchObject({ kind: "stay", why: "current" });
  expect(record.steps.map(({ step }) => step)).toEqual(["verify", "activate", "health"]);
});
