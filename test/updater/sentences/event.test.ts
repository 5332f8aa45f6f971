import { describe, expect, test } from "vitest";
import type { NotifyEvent } from "../../../src/updater/record/event.ts";
import type { News } from "../../../src/updater/record/news.ts";
import { emptyState, type Outcome, type PassRecord, type Recovered, type State } from "../../../src/updater/record/state.ts";
import { eventOf, testEvent } from "../../../src/updater/sentences/event.ts";
import {
  backFailed,
  current,
  failed,
  fault,
  moved,
  notTried,
  now,
  packaged,
  pass,
  served,
  stayed,
  stoppedBusy,
  stuck,
  undone,
  upgrade,
} from "../record/given.ts";

const about = { host: "h", package: "svc-ent", channel: "default" };

/** Its id is its subject, for all to see. */
function told(news: News, state: State = emptyState): NotifyEvent {
  return eventOf(news, { ...about, state, now, idOf: (subject) => subject });
}

function record(outcome: Outcome, more: Partial<PassRecord> = {}): PassRecord {
  return { ...pass(upgrade, outcome).record, ...more };
}

const ended = (outcome: Outcome, more: Partial<PassRecord> = {}): News => ({ kind: "outcome", pass: record(outcome, more) });
const movement = { kind: "upgrade", why: "window" } as const;

test("an event says where it was, when the pass ended, and what it is about", () => {
  expect(told(ended(moved))).toEqual({
    id: "outcome p",
    at: now + 3,
    ...about,
    kind: "moved",
    told: "upgraded svc-ent from 15.4.5 to 15.4.6-1 in 30 seconds",
    next: undefined,
    move: { ...movement, from: "15.4.5", to: packaged, seconds: 30 },
    fault: undefined,
  });
});

describe("a move that was made is told", () => {
  test.each<[string, Partial<Extract<Outcome, { kind: "moved" }>>, Partial<PassRecord>, string]>([
    ["without what was there before, where nothing was", { from: undefined }, {}, "upgraded svc-ent 15.4.6-1 in 30 seconds"],
    ["with a second as one", { seconds: 1 }, {}, "upgraded svc-ent from 15.4.5 to 15.4.6-1 in 1 second"],
  ])("%s", (_title, changes, more, sentence) => {
    if (moved.kind !== "moved") throw new Error("it is no move");
    expect(told(ended({ ...moved, ...changes }, more)).told).toBe(sentence);
  });

  test("as an upgrade, for no known reason, where its pass's decision does not say more", () => {
    expect(told(ended(moved, { decision: current })).move).toMatchObject({ kind: "upgrade", why: undefined });
  });
});

describe("a move that failed is told", () => {
  test("with what runs again, where it was rolled back", () => {
    expect(told(ended(undone("unhealthy", "health")))).toMatchObject({
      kind: "undone",
      told: "the upgrade of svc-ent to 15.4.6-1 failed at the step health, and 15.4.5-1 runs again: it was unhealthy",
      next: "h",
      move: { ...movement, from: "15.4.5-1", to: packaged, seconds: 60 },
      fault: { code: "unhealthy" },
    });
  });

  const start = "the upgrade of svc-ent to 15.4.6 failed at the step";
  test.each<[string, Outcome, string, string]>([
    ["that changed nothing", failed("no-space", "offer"), `${start} offer (nothing was changed): it was no-space`, "no-space"],
    [
      "that was not rolled back",
      stuck("unhealthy", "health", notTried),
      `${start} health (not rolled back: the package of 15.4.5-1 is not at hand): it was unhealthy`,
      "unhealthy",
    ],
    [
      "whose rollback failed",
      stuck("unhealthy", "health", backFailed),
      `${start} health (the rollback failed): it was unhealthy`,
      "way-back-failed",
    ],
  ])("as one %s", (_title, outcome, sentence, code) => {
    const event = told(ended(outcome));
    expect(event).toMatchObject({ kind: "failed", told: sentence, fault: { code } });
    expect(event.move).toEqual({ ...movement, from: "15.4.5", to: served, seconds: 3 });
    expect(event.next).toBe(event.fault?.hint);
  });

  test("by the served version, where its pass's decision does not say more", () => {
    const toOf = (version: string | undefined) =>
      told(ended(failed("no-space"), { decision: current, served: version })).move?.to;
    expect([toOf("15.4.7"), toOf(undefined)]).toEqual(["15.4.7", ""]);
  });
});

test.each([stayed, stoppedBusy])("a pass that moved nothing is no news: %j", (outcome) => {
  expect(() => told(ended(outcome))).toThrow("is no news");
});

describe("what became of a move that did not finish", () => {
  const recoveredAs = (how: Recovered["ended"]): News => {
    const recovered = { step: "install", served, ended: how } as const;
    return { kind: "recovered", pass: record(stayed, { recovered }) };
  };

  test.each<[Recovered["ended"], NotifyEvent["kind"], string, string | undefined]>([
    ["finished", "moved", "was carried to its end", undefined],
    ["undone", "undone", "was rolled back", undefined],
    ["not-mended", "failed", "is neither done nor undone; a later pass repairs the package", "svc-upgrade status"],
  ])("is told where it is %s", (how, kind, end, next) => {
    const sentence = `a move of svc-ent to 15.4.6 that did not finish ${end}`;
    expect(told(recoveredAs(how))).toMatchObject({ id: "recovered p", at: now, kind, told: sentence, next });
  });

  test.each<[string, News]>([
    ["where nothing was changed", recoveredAs("unchanged")],
    ["where there was none", { kind: "recovered", pass: record(stayed) }],
  ])("is no news %s", (_title, news) => {
    expect(() => told(news)).toThrow("is no news");
  });
});

test("that somebody is needed is told once a day, with what to type", () => {
  expect(told({ kind: "needs-operator", need: { key: "5", why: "the rollback failed" } })).toMatchObject({
    id: "needs-operator 5 1",
    at: now,
    told: "svc-ent does not move any more before somebody has looked: the rollback failed",
    next: "svc-upgrade status; once it is in order: svc-upgrade retry",
  });
});

describe("a version server that is not reached", () => {
  const lost: News = { kind: "contact-lost", since: 50 };
  const unanswered = fault("contact-lost");

  test.each<[string, readonly PassRecord[], string | undefined]>([
    ["with the fault that stopped the last pass", [record(stoppedBusy)], "busy"],
    ["with why it did not answer, where the pass went on", [record(moved, { unanswered })], "contact-lost"],
    ["without a fault, where the last pass had none", [record(stayed), record(stoppedBusy)], undefined],
  ])("is told %s", (_title, passes, code) => {
    const event = told(lost, { ...emptyState, passes });
    expect(event.told).toBe("the version server has not been reached since 1970-01-01T00:00:50Z");
    expect([event.id, event.at, event.fault?.code]).toEqual(["contact-lost 50", now, code]);
    expect(event.next).toBe(event.fault?.hint);
  });

  test("is told to answer again", () => {
    expect(told({ kind: "contact-regained", since: 50 })).toMatchObject({
      id: "contact-regained 50",
      told: "the version server answers again; it had not been reached since 1970-01-01T00:00:50Z",
      fault: undefined,
    });
  });
});

test("a test says that it is one", () => {
  expect(testEvent({ id: "i", ...about, now })).toEqual({
    id: "i",
    at: now,
    ...about,
    kind: "test",
    told: "this is a test: moves of svc-ent on h are told like this",
    next: undefined,
    move: undefined,
    fault: undefined,
  });
});
