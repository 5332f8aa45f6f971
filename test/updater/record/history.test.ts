import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addEntry,
  addLost,
  addMove,
  addRecovery,
  brokenOff,
  decodeHistory,
  emptyHistory,
  encodeHistory,
  entry as entryShape,
  longestHistoryBytes,
  mostMoves,
  mostOthers,
  movesOf,
  withPasses,
  type Entry,
  type History,
  type MoveEntry,
} from "../../../src/updater/record/history.ts";
import type { Outcome, PassRecord } from "../../../src/updater/record/state.ts";
import type { Version } from "../../../src/rules/version/version.ts";
import { arbitraryOf } from "../../rules/shape/arbitrary.ts";
import {
  backFailed,
  current,
  cutOff,
  failed,
  moved,
  now,
  packaged,
  pass,
  stayed,
  stoppedBusy,
  stuck,
  undone,
  upgrade,
} from "./given.ts";

type Failed = Extract<Outcome, { kind: "failed" }>;
const refused = failed("not-offered", "offer");
const busy = { code: "busy", message: "m", hint: "h", causes: [] } as const;

function passRecord(id: string, outcome: Outcome, more: Partial<PassRecord> = {}): PassRecord {
  return { ...pass(upgrade, outcome).record, id, ...more };
}

function move(id: string, outcome: Outcome, more: Partial<PassRecord> = {}): MoveEntry {
  const [entry] = movesOf(passRecord(id, outcome, more), { from: "15.4.5-1", to: packaged });
  if (entry === undefined) throw new Error("it is no move");
  return entry;
}

type Lost = Parameters<typeof addLost>[1];
const lost = (at: number, why: string = "w"): Lost => ({ at, event: "moved", why });
const ids = ({ entries }: History): readonly string[] => entries.map((one) => (one.kind === "move" ? one.id : one.kind));
const counts = ({ entries }: History): readonly unknown[] =>
  entries.map((one) => (one.kind === "other" ? one.kind : [one.at, one.count, one.firstAt]));
const all = (...entries: readonly Entry[]): History => entries.reduce(addEntry, emptyHistory);

describe("the history", () => {
  test("has a move with what is known of it", () => {
    expect(move("a", moved)).toEqual({
      kind: "move",
      id: "a",
      at: now,
      seconds: 3,
      channel: "default",
      movement: "upgrade",
      why: "window",
      from: "15.4.5-1",
      version: "15.4.6",
      to: packaged,
      outcome: moved,
      recovered: undefined,
      count: 1,
      firstAt: undefined,
    });
  });

  test("is the newest first, and knows its moves by their passes", () => {
    const both = [move("a", refused), move("b", moved)].reduce(addMove, emptyHistory);
    expect(ids(both)).toEqual(["b", "a"]);
    expect(addMove(both, move("a", undone("unhealthy", "health")))).toBe(both);
  });
});

describe("attempts that are equal", () => {
  const tries = (outcome: Outcome, times: number): readonly MoveEntry[] =>
    Array.from({ length: times }, (_, index) => move(`try-${index}`, outcome, { startedAt: now + index, seconds: index }));

  test.each([
    ["refused", refused],
    ["undone", undone("no-space", "install")],
    ["moved again and again", moved],
  ])("are one entry with a count, the last of them (%s)", (_, outcome) => {
    const folded = all(...tries(outcome, 200));
    expect(counts(folded)).toEqual([[now + 199, 200, now]]);
    expect(ids(folded)).toEqual(["try-199"]);
  });

  test("never push out the one move before them", () => {
    const two = [refused, failed("refresh-failed", "refresh")];
    const days = Array.from({ length: 300 }, (_, index) => move(`t${index}`, two[index % 2] ?? refused, { startedAt: index }));
    const kept = all(move("the-move", moved), ...days);
    expect(ids(kept)).toEqual(["t299", "t298", "the-move"]);
    expect(counts(kept).slice(0, 2)).toEqual([
      [299, 150, 1],
      [298, 150, 0],
    ]);
  });

  test.each<[string, Outcome, Partial<PassRecord>]>([
    ["another fault", failed("no-space", "offer"), {}],
    ["another step", failed("not-offered", "simulate"), {}],
    ["a change that stayed", stuck("not-offered", "offer"), {}],
    ["another reason", refused, { decision: { ...upgrade, why: "critical" } }],
  ])("are not those with %s", (_, outcome, more) => {
    expect(ids(all(move("a", refused), move("b", outcome, more)))).toEqual(["b", "a"]);
  });

  test("may be anything that is told beside moves", () => {
    const told = [lost(1), lost(2), lost(3, "x"), lost(4)].reduce<History>(addLost, emptyHistory);
    expect(counts(told)).toEqual([
      [4, 3, 1],
      [3, 1, undefined],
    ]);
  });
});

describe("what did not finish", () => {
  const recovery = { pass: "q", at: now + 600, step: "install", ended: "finished" } as const;
  const begun = cutOff("install", { recoveries: 0, channel: "default", done: [{ step: "keep", ms: 2_400 }] });

  test("is there once a later pass has ended it", () => {
    const [one] = addRecovery(emptyHistory, begun, recovery).entries;
    expect(one).toMatchObject({
      id: "p",
      at: now - 12,
      channel: "default",
      from: "15.4.5-1",
      version: "15.4.6",
      to: packaged,
      outcome: { kind: "stopped", fault: { code: "interrupted", message: "the pass did not finish: it was installing 15.4.6" } },
      recovered: recovery,
    });
  });

  test("began before its first change, whoever went on with it", () => {
    const [one] = addRecovery(emptyHistory, { ...begun, recoveries: 2 }, recovery).entries;
    expect(one?.at).toBe(now - 20);
  });

  test("keeps what its own pass said of it", () => {
    const said = addMove(emptyHistory, brokenOff(begun, stoppedBusy));
    const { entries } = addRecovery(said, begun, recovery);
    expect(entries).toEqual([{ ...said.entries[0], recovered: recovery }]);
  });

  test("and did so again is one entry", () => {
    const unchanged = { ...recovery, ended: "unchanged" } as const;
    const again = ["p1", "p2", "p3"].reduce((before, id) => addRecovery(before, { ...begun, pass: id }, unchanged), emptyHistory);
    expect(again.entries).toMatchObject([{ id: "p3", count: 3 }]);
  });
});

describe("moves that nobody wrote down", () => {
  const quiet = (id: string): PassRecord => passRecord(id, stayed, { decision: current });

  test("are taken from the passes that are remembered, each once", () => {
    const passes = [
      quiet("f"),
      passRecord("e", refused),
      quiet("d"),
      passRecord("c", moved),
      passRecord("b", refused),
      quiet("a"),
    ];
    expect(ids(withPasses(emptyHistory, passes))).toEqual(["e", "c", "b"]);
    // What is older than one that is known was known, and may stand in the count of another.
    expect(ids(withPasses(all(move("c", moved)), passes))).toEqual(["e", "c"]);
    const known = withPasses(all(move("e", refused)), passes);
    expect(ids(known)).toEqual(["e"]);
  });

  test("are not known by what is told beside moves, which stays where it is", () => {
    const told = addLost(emptyHistory, lost(1));
    expect(ids(withPasses(told, [passRecord("b", refused), passRecord("a", moved)]))).toEqual(["b", "a", "notice-lost"]);
    expect(ids(withPasses(addLost(all(move("a", moved)), lost(1)), [passRecord("a", moved)]))).toEqual(["notice-lost", "a"]);
  });

  test("have their packages from how they ended, or what was installed", () => {
    const passes = [passRecord("c", moved), passRecord("b", undone("unhealthy", "health")), passRecord("a", refused)];
    expect(withPasses(emptyHistory, passes).entries).toMatchObject([
      { from: "15.4.5", to: packaged },
      { from: "15.4.5-1", to: packaged },
      { from: "15.4.5", to: undefined },
    ]);
  });

  test("may have been ended by a pass that moved nothing itself", () => {
    const recovered = { step: "install", served: "15.4.6" as Version, ended: "finished" } as const;
    const passes = [passRecord("q", stayed, { decision: current, recovered })];
    const known = withPasses(emptyHistory, passes);
    expect(known.entries).toMatchObject([{ id: "q", version: "15.4.6", recovered: { pass: "q", ended: "finished" } }]);
    expect(withPasses(known, passes)).toBe(known);
  });

  test("are none where the history knows which pass ended them", () => {
    const recovered = { step: "install", served: "15.4.6" as Version, ended: "finished" } as const;
    const known = addRecovery(emptyHistory, cutOff("install"), { pass: "q", at: now, step: "install", ended: "finished" });
    expect(withPasses(known, [passRecord("q", stayed, { decision: current, recovered })])).toBe(known);
  });
});

describe("the history on disk", () => {
  test("holds the last fifty moves, and some of what is told beside them", () => {
    const many = Array.from({ length: 60 }, (_, index) => [
      (before: History): History => addMove(before, move(`m${index}`, moved, { channel: `c${index}` })),
      (before: History): History => addLost(before, lost(index, `why ${index}`)),
    ]).flat();
    const { entries } = many.reduce((before, add) => add(before), emptyHistory);
    expect(entries.filter(({ kind }) => kind === "move")).toHaveLength(mostMoves);
    expect(entries.filter(({ kind }) => kind === "notice-lost")).toHaveLength(mostOthers);
    expect(entries.slice(0, 2)).toMatchObject([{ why: "why 59" }, { id: "m59" }]);
  });

  test("comes back as it was", () => {
    fc.assert(
      fc.property(fc.array(arbitraryOf(entryShape, "plain"), { maxLength: 5 }), (entries) => {
        const text = encodeHistory({ entries });
        const read = decodeHistory(text);
        if (read.kind === "unreadable") throw new Error(read.why);
        expect(encodeHistory(read.value)).toBe(text);
        expect(read.value.entries.map(({ kind, at }) => [kind, at])).toEqual(entries.map(({ kind, at }) => [kind, at]));
      }),
    );
  });

  test("stays readable and below its cap, whatever the passes said: the oldest go first", () => {
    fc.assert(
      fc.property(fc.array(arbitraryOf(entryShape, "any"), { maxLength: 5 }), fc.nat({ max: 60 }), (some, times) => {
        const entries = Array.from({ length: times }, () => some).flat();
        const encoded = encodeHistory({ entries });
        const read = decodeHistory(encoded);
        expect(read.kind === "read" ? "" : read.why).toBe("");
        expect(Buffer.byteLength(encoded)).toBeLessThanOrEqual(longestHistoryBytes);
        expect(encoded).not.toMatch(/\\n|\\u00[01]/);
      }),
      { numRuns: 30, endOnFailure: true },
    );
    const long = { ...failed("install-failed"), back: backFailed } as Failed;
    const fault = { ...long.fault, message: "€".repeat(800) };
    const entries = Array.from({ length: 500 }, (_, index) => move(`m${index}`, { ...long, fault }));
    const encoded = encodeHistory({ entries });
    expect(Buffer.byteLength(encoded)).toBeLessThanOrEqual(longestHistoryBytes);
    const read = decodeHistory(encoded);
    expect(read.kind === "read" && ids(read.value).slice(0, 2)).toEqual(["m0", "m1"]);
  });

  test("carries what a later release wrote, and takes the nearest that is known for it", () => {
    const [known] = (JSON.parse(encodeHistory(all(move("a", moved)))) as { entries: readonly object[] }).entries;
    const later = {
      schema: 1,
      novelty: 1,
      entries: [
        { kind: "eclipse", at: 7, moon: "full" },
        { kind: "comet", tail: "long" },
        { ...known, movement: "sidegrade", why: "whim", outcome: { kind: "hovered", fault: busy }, mood: "good" },
      ],
    };
    const read = decodeHistory(JSON.stringify(later));
    if (read.kind === "unreadable") throw new Error(read.why);
    expect(read.value.entries).toMatchObject([
      { kind: "other", at: 7 },
      { kind: "other", at: 0 },
      { kind: "move", movement: "upgrade", why: "asked", outcome: { kind: "stopped" } },
    ]);
    const again = encodeHistory(addMove(read.value, move("b", moved)));
    for (const word of ["novelty", "eclipse", "moon", "comet", "tail", "sidegrade", "whim", "hovered", "mood"]) {
      expect(again).toContain(`"${word}"`);
    }
  });

  test.each([
    ['{"schema":2,"entries":[]}', "schema is not 1"],
    [`{"schema":1,"entries":[${Array.from({ length: 501 }, () => "{}").join(",")}]}`, "entries is not a list of at most 500"],
    ['{"schema":1,"entries":[{"kind":"move"}]}', "entries[0].id is not a text of at most 513 characters"],
  ])("is unreadable as %j", (text, why) => {
    expect(decodeHistory(text)).toEqual({ kind: "unreadable", why });
  });
});
