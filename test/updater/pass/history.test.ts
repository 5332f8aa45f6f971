import { describe, expect, test } from "vitest";
import { Fault } from "../../../src/rules/fault/fault.ts";
import type { HistoryChange } from "../../../src/updater/store/history-file.ts";
import type { MoveEntry } from "../../../src/updater/record/history.ts";
import { emptyState } from "../../../src/updater/record/state.ts";
import {
  closedSchedule,
  fakeHost,
  installed,
  now,
  packageVersion,
  serves,
  stateWith,
  version,
  type FakeHost,
  type FakeOptions,
} from "./given.ts";
import { cutOffAt, ill, offline, pass, script, stepAt } from "./stage.ts";

const files = ["15.4.5", "15.4.6"];

function moves({ histories }: FakeHost): readonly MoveEntry[] {
  const { entries = [] } = histories.at(-1) ?? {};
  return entries.filter((one): one is MoveEntry => one.kind === "move");
}

describe("a pass that moves", () => {
  test("leaves how it ended in the history, before the state says so", async () => {
    const host = fakeHost();
    const order: (string | undefined)[] = [];
    const ports = {
      ...host.ports,
      changeHistory: (change: HistoryChange) => {
        order.push(host.saved.at(-1)?.step?.step);
        return host.ports.changeHistory(change);
      },
    };
    await pass({ ports });
    // Its last step stands in the state still.
    expect(order).toEqual(["health"]);
    const packages = { from: "15.4.5", version: "15.4.6", to: "15.4.6" };
    const outcome = { kind: "moved", seconds: 3 };
    expect(moves(host)).toMatchObject([{ id: "pass-1", at: now, channel: "default", why: "window", ...packages, outcome }]);
  });

  const refused = new Fault("plan-refused", { message: "it removes svc-extra", hint: "h" });
  test.each<[string, FakeOptions, object]>([
    ["undone", { fails: [["health", ill]] }, { kind: "undone", step: "health", fault: { code: "unhealthy" } }],
    [
      "refused before anything changed",
      { fails: [["simulate 15.4.6", refused]] },
      { kind: "failed", step: "simulate", back: undefined, fault: { code: "plan-refused" } },
    ],
  ])("and is %s leaves that", async (_, options, outcome) => {
    const host = fakeHost(options);
    await pass(host);
    expect(moves(host)).toMatchObject([{ from: "15.4.5", outcome }]);
  });

  test("leaves what the passes before it moved, where nobody wrote it down", async () => {
    const first = fakeHost();
    await pass(first);
    const host = fakeHost({ installed: first.present(), offers: ["15.4.7"], answer: serves("15.4.7") });
    await pass({ ports: { ...host.ports, passId: "pass-2" } }, { state: first.saved.at(-1) ?? emptyState });
    expect(moves(host)).toMatchObject([
      { id: "pass-2", version: "15.4.7" },
      { id: "pass-1", version: "15.4.6" },
    ]);
  });
});

test("a pass that stays has nothing to do with the history", async () => {
  const host = fakeHost({ schedule: closedSchedule });
  await pass(host);
  expect(host.histories).toEqual([]);
});

describe("a pass after one that did not finish", () => {
  test("leaves what became of that under the pass that began it, and its own move as another", async () => {
    const host = fakeHost({ installed: installed("15.4.6"), answer: serves("15.4.7"), offers: ["15.4.7"], files });
    const step = stepAt("activate", { why: "critical", channel: "stable/cloud", startedAt: now - 40 });
    await pass(host, { state: stateWith({ step }) });
    expect(moves(host)).toMatchObject([
      { id: "pass-1", version: "15.4.7", recovered: undefined },
      {
        id: "old",
        at: now - 40,
        why: "critical",
        channel: "stable/cloud",
        outcome: { kind: "stopped", fault: { code: "interrupted" } },
        recovered: { pass: "pass-1", at: now, step: "activate", ended: "finished" },
      },
    ]);
  });

  test("leaves why it could not be repaired", async () => {
    const fails = [
      ["health", ill],
      ["install 15.4.5 down from its file", script],
    ] as const;
    const host = fakeHost({ installed: installed("15.4.6"), answer: offline, files, fails });
    await expect(pass(host, { state: cutOffAt("health") })).rejects.toThrow("could not be repaired");
    expect(moves(host)).toMatchObject([{ id: "old", recovered: { ended: "not-mended", fault: { code: "way-back-failed" } } }]);
  });

  // As a cut between the two writes leaves it: the move is in the history, and its last step in the state.
  test("finds the one move that was written down, where the state was not", async () => {
    const first = fakeHost();
    await pass(first);
    const state = first.saved.findLast(({ step }) => step !== undefined) ?? emptyState;
    const [history] = first.histories;
    const host = fakeHost({ installed: first.present(), ...(history === undefined ? {} : { history }) });
    await pass({ ports: { ...host.ports, passId: "pass-2" } }, { state });
    const recovered = { pass: "pass-2", step: "health", ended: "finished" };
    expect(moves(host)).toMatchObject([{ id: "pass-1", count: 1, outcome: { kind: "moved" }, recovered }]);
  });
});

describe("what a pass tells as news", () => {
  const rejected = [{ served: version("15.4.6"), packageVersion: packageVersion("15.4.6"), at: 1, why: "it failed" }];
  const told = ({ lines }: FakeHost): readonly string[] =>
    lines.map(({ level, sentence }) => `${level}: ${sentence.slice(0, 55)}`);

  test("is a move, from its begin to its end", async () => {
    const host = fakeHost();
    await pass(host);
    expect(told(host).filter((line) => !line.startsWith("debug"))).toEqual([
      "notice: an upgrade is available (15.4.5 -> 15.4.6), upgrading n",
      "notice: upgraded svc-ent from 15.4.5 to 15.4.6; svc.service was",
    ]);
  });

  test("is what somebody has to see, by the first pass that finds it alone", async () => {
    const first = fakeHost();
    await pass(first, { state: stateWith({ rejected }) });
    expect(told(first)).toEqual(["warning: an upgrade is available (15.4.5 -> 15.4.6), not now: 15"]);
    const second = fakeHost();
    await pass(second, { state: first.saved.at(-1) ?? emptyState });
    expect(told(second)).toEqual(["info: an upgrade is available (15.4.5 -> 15.4.6), not now: 15"]);
    const other = fakeHost();
    await pass(other, { state: { ...(first.saved.at(-1) ?? emptyState), needsOperator: { at: now, why: "it is broken" } } });
    expect(told(other)).toEqual([expect.stringMatching(/^warning: /)]);
  });

  test("is a damaged package, by every pass that has to leave it so", async () => {
    const damaged = { binarySays: "15.4.4", schedule: closedSchedule };
    const first = fakeHost(damaged);
    await pass(first);
    const second = fakeHost(damaged);
    await pass(second, { state: first.saved.at(-1) ?? emptyState });
    expect(told(second)).toEqual(told(first));
    expect(told(second)).toEqual([expect.stringMatching(/^warning: /)]);
  });
});
