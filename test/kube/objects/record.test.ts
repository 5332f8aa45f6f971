import { describe, expect, test } from "vitest";
import type { Decision } from "../../../src/kube/objects/object-decision.ts";
import { isNews, memoryIn, nextKept, printKept, readKept, readStored, type Look } from "../../../src/kube/objects/record.ts";
import { readStoredRecord, unwiped } from "../../../src/kube/objects/stored.ts";
import { nothingStands, sentenceOfEnded } from "../../../src/kube/objects/move-memory.ts";
import {
  codeOf,
  decidedLine,
  endedEvent,
  eventOf,
  nextVersion,
  servedBy,
  slipEvent,
} from "../../../src/kube/objects/event-text.ts";
import { hear, nothingHeard, type Heard } from "../../../src/rules/channel/heard.ts";
import type { ChannelName } from "../../../src/rules/channel/path.ts";
import type { DecisionNumber } from "../../../src/rules/channel/decision-number.ts";
import { version } from "../../rules/version/given.ts";
import { now } from "./given.ts";

const stay: Decision = { kind: "stay", why: "outside-window", told: "outside the maintenance window", until: now + 60 };
const move: Decision = {
  kind: "move",
  why: "window",
  told: "the window is open",
  until: now + 60,
  target: { kind: "upgrade", from: version("15.4.5"), to: version("15.4.6"), image: "svc:15.4.6" },
};
const down: Decision = {
  ...move,
  target: { kind: "downgrade", from: version("15.4.6"), to: version("15.4.5"), image: "svc:15.4.5" },
};
const stop: Decision = { kind: "stop", code: "object-absent", told: "there is none", hint: "make one" };
const ill: Decision = { kind: "stay", why: "schedule-missing", told: "no valid schedule", lift: "set `window`" };

function heardAt(at: number, served = "15.4.6", before = nothingHeard): Heard {
  const answered = { channel: "default" as ChannelName, decision: "1.1" as DecisionNumber };
  return hear(before, { ...answered, served: { kind: "version", version: version(served) } }, at);
}

function lookOf(changes: Partial<Look> = {}): Look {
  const decided = {
    decision: stay,
    current: version("15.4.5"),
    heard: heardAt(now),
    unhealthySince: undefined,
    windowOf: "schedule" as const,
    standing: nothingStands,
  };
  return { now, uid: "1", ...decided, ...changes };
}

const first = nextKept(undefined, lookOf());

describe("a record", () => {
  test.each([stay, move, stop, ill])("is read as it was written: $kind", (decision) => {
    const kept = nextKept(undefined, lookOf({ decision, unhealthySince: now }));
    expect(readKept(printKept(kept))).toEqual({ kind: "kept", record: kept });
  });

  test("counts its turns, and keeps since when it is decided so", () => {
    const second = nextKept(first, lookOf({ now: now + 60 }));
    expect(second).toMatchObject({ turn: 2, at: now + 60, since: now });
    expect(nextKept(second, lookOf({ now: now + 120, decision: stop }))).toMatchObject({ turn: 3, since: now + 120 });
  });

  test("keeps what a later release wrote into it", () => {
    const later = readKept(printKept(first).replace("{", '{"newer":[1],'));
    if (later.kind !== "kept") throw new Error(later.kind);
    expect(JSON.parse(printKept(nextKept(later.record, lookOf())))).toMatchObject({ newer: [1] });
  });

  test.each([
    ["nothing but the time", { now: now + 60, heard: heardAt(now + 60, "15.4.6", heardAt(now)) }, false],
    ["what is served", { heard: heardAt(now, "15.4.7") }, true],
  ] as const)("where %s changed is news: %j", (_, changes, news) => {
    expect(isNews(first, nextKept(first, lookOf(changes)))).toBe(news);
  });

  test("that there was none before is news", () => {
    expect(isNews(undefined, first)).toBe(true);
  });

  test.each([
    ["not there", undefined, { kind: "nothing" }],
    ["empty", "", { kind: "unreadable", why: "it is empty" }],
    [
      "of a later schema",
      printKept(first).replace('"schema":1', '"schema":2'),
      { kind: "unreadable", why: "another release wrote it in another form" },
    ],
  ])("that is %s is not taken for one", (_, text, expected) => {
    expect(readKept(text)).toEqual(expected);
  });
});

test("a record that was written and is not there was wiped", () => {
  expect(readStored({ resourceVersion: "1", record: undefined, turn: 7 })).toEqual({
    kind: "unreadable",
    why: "it was written 7 times, and is wiped",
  });
  expect(readStored({ resourceVersion: "1", record: printKept(first), turn: 7 })).toMatchObject({ kind: "kept" });
});

test("a record that was wiped is taken as it was known", () => {
  const found = { resourceVersion: "7", record: undefined };
  expect(unwiped(found, "{}")).toEqual({ resourceVersion: "7", record: "{}", isWiped: true });
  expect(unwiped(found, undefined)).toBe(found);
  const whole = { ...found, record: "[]" };
  expect(unwiped(whole, "{}")).toBe(whole);
  expect(unwiped(undefined, "{}")).toBe(undefined);
});

test.each([
  ["7", { turn: 7 }],
  ["0", {}],
])("the turn %s beside a record", (turn, more) => {
  const metadata = { resourceVersion: "7", annotations: { "svc.dev/turn": turn } };
  expect(readStoredRecord({ metadata })).toEqual({ kind: "read", value: { resourceVersion: "7", record: undefined, ...more } });
});

describe("memory", () => {
  const kept = { kind: "kept", record: nextKept(undefined, lookOf({ unhealthySince: now })) } as const;

  test("of the same object holds", () => {
    expect(memoryIn(kept, "1")).toEqual({
      heard: heardAt(now),
      unhealthySince: now,
      unreadable: undefined,
      standing: nothingStands,
    });
  });

  test("of an object that was made again begins again, but for what the channel said", () => {
    expect(memoryIn(kept, "2")).toEqual({
      heard: heardAt(now),
      unhealthySince: undefined,
      unreadable: undefined,
      standing: nothingStands,
    });
  });

  test("is empty where nothing was written, and says so where it cannot be read", () => {
    expect(memoryIn({ kind: "nothing" }, "1")).toMatchObject({ heard: nothingHeard, unreadable: undefined });
    expect(memoryIn({ kind: "unreadable", why: "it is not JSON" }, "1")).toMatchObject({
      heard: nothingHeard,
      unreadable: "the record of earlier looks cannot be read: it is not JSON",
    });
  });
});

describe("an Event", () => {
  test.each([
    [stay, "Normal", "OutsideWindow", "outside the maintenance window"],
    [move, "Normal", "Window", "an upgrade is available (15.4.5 -> 15.4.6), and it begins now: the window is open"],
    [down, "Normal", "Window", "a downgrade is due (15.4.6 -> 15.4.5), and it begins now: the window is open"],
    [stop, "Warning", "ObjectAbsent", "there is none; make one"],
    [ill, "Warning", "ScheduleMissing", "no valid schedule; to end it: set `window`"],
  ])("of %j", (decision, type, reason, note) => {
    expect(eventOf(decision)).toEqual({ type, reason, note });
  });

  test.each(["a", "\u{1f600}"])("has no more bytes than the API server takes: of %s", (letter) => {
    const long = letter.repeat(2000);
    const { note } = eventOf({ kind: "stop", code: "bug", told: long, hint: long });
    expect(Buffer.byteLength(note)).toBeLessThanOrEqual(1024);
  });

  test("of an annotation that is ignored is a warning", () => {
    expect(slipEvent("it is yes")).toEqual({ type: "Warning", reason: "AnnotationIgnored", note: "it is yes" });
  });

  test.each([
    ["proven", "Normal", "Upgraded", "15.4.6"],
    ["proven", "Normal", "Downgraded", "15.4.4"],
    ["back", "Warning", "TakenBack", "15.4.6"],
    ["overtaken", "Warning", "Overtaken", "15.4.6"],
    ["reset", "Warning", "Reset", "15.4.6"],
  ] as const)("of a move that ended %s", (outcome, type, reason, last) => {
    const [from, to] = [version("15.4.5"), version(last)];
    const ended = { outcome, from, to, imageBefore: "svc:15.4.5", image: "svc:15.4.6", at: now, why: undefined };
    expect(endedEvent(ended)).toEqual({ type, reason, note: sentenceOfEnded(ended) });
  });
});

test.each<readonly [Decision, string, string]>([
  [move, "15.4.6", "an upgrade is available (15.4.5 -> 15.4.6), the updater would upgrade now: the window is open"],
  [{ kind: "stay", why: "current", told: "it is" }, "15.4.5", "no upgrades available (15.4.5 == 15.4.5)"],
  [{ kind: "stay", why: "moving", told: "15.4.5 -> 15.4.6: the pods" }, "15.4.6", "15.4.5 -> 15.4.6: the pods"],
])("a dry run tells %j beside %s", (decision, served, line) => {
  if (decision.kind === "stop") throw new Error("there is no line of it");
  const compared = { current: version("15.4.5"), served: { kind: "version", version: version(served) } } as const;
  expect(decidedLine(decision, compared, "would")).toBe(line);
});

test("the next version is the one that would be moved to, the one that runs, or what was heard", () => {
  const of = (decision: Decision, heard = heardAt(now)) => nextVersion(decision, { heard, current: version("15.4.5") });
  expect(of(move)).toBe("15.4.6");
  expect(of({ kind: "stay", why: "current", told: "" })).toBe("15.4.5");
  expect(of(stop)).toBe("15.4.6");
  expect(of(stop, nothingHeard)).toBeUndefined();
  expect(codeOf(move)).toBe("window");
});

test("what the updater does is told after what a person asked for", () => {
  const compared = { current: version("15.4.5"), served: { kind: "version", version: version("15.4.6") } } as const;
  expect(decidedLine(move, compared, "does")).toBe(
    "an upgrade is available (15.4.5 -> 15.4.6), the updater upgrades now: the window is open",
  );
});

test("what the channel served last is a version, none, or not known", () => {
  const kept = { heard: heardAt(now), current: version("15.4.5") };
  expect(servedBy(stay, kept)).toEqual({ kind: "version", version: "15.4.6" });
  expect(servedBy({ kind: "stay", why: "no-version", told: "" }, kept)).toEqual({ kind: "none" });
  expect(servedBy(stay, { ...kept, heard: nothingHeard })).toBe(undefined);
});
