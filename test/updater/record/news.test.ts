import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FaultCode } from "../../../src/rules/fault/table.ts";
import { beginTelling, hasNews, newsIn, type News } from "../../../src/updater/record/news.ts";
import { emptyState, type Outcome, type PassRecord, type Recovered, type State } from "../../../src/updater/record/state.ts";
import { state as arbitraryState } from "./arbitrary.ts";
import { current, old, pass, served, stayed, undone, upgrade } from "./given.ts";

function recordOf(id: string, changes: Partial<PassRecord> = {}): PassRecord {
  return { ...pass(current, stayed).record, id, ...changes };
}

const moved: Outcome = { kind: "moved", from: "15.4.5-1", to: "15.4.6-1", seconds: 7 };
const failed = (code: FaultCode, back?: Extract<Outcome, { kind: "failed" }>["back"]): Outcome => ({
  kind: "failed",
  step: "refresh",
  fault: { code, message: "m", hint: "h", causes: [] },
  evidence: [],
  back,
});
const lost: Outcome = { kind: "stopped", fault: { code: "contact-lost", message: "m", hint: "h", causes: [] } };
const stopped = (outcome: Outcome): Partial<PassRecord> =>
  outcome.kind === "stopped" ? { outcome, decision: { kind: "stop", fault: outcome.fault } } : { outcome };
const move = (outcome: Outcome): Partial<PassRecord> => ({ outcome, decision: upgrade });
const backoff: State["backoff"] = {
  served,
  cause: { code: "no-space", message: "m", hint: "h", causes: [] },
  failures: 1,
  until: 1,
};

/** What is told pass by pass, where each leaves the state of the one before, and its own record. */
function told(...passes: readonly (Partial<State> & { readonly pass: Partial<PassRecord> })[]): readonly (readonly string[])[] {
  let state: State = beginTelling(emptyState);
  return passes.map(({ pass: changes, ...more }, at) => {
    state = { ...state, ...more, passes: [recordOf(`pass-${at}`, changes), ...state.passes].slice(0, 10) };
    const { news, told: after } = newsIn(state);
    state = { ...state, told: after };
    expect(newsIn(state)).toEqual({ news: [], told: after });
    expect(hasNews(state)).toBe(false);
    return news.map(nameOf);
  });
}

function nameOf(news: News): string {
  if (news.kind === "outcome") return news.pass.outcome.kind;
  return news.kind === "recovered" ? `recovered ${news.pass.recovered?.ended}` : news.kind;
}

const quiet = { pass: {} };

describe("what is news", () => {
  test("is how a move ended, and not that nothing was to be done", () => {
    expect(told(quiet, { pass: move(moved) }, quiet, { pass: move(undone("unhealthy", "health")) })).toEqual([
      [],
      ["moved"],
      [],
      ["undone"],
    ]);
  });

  test("is not a move that was asked to stop before it began, or came too late", () => {
    expect(told({ pass: move(failed("stopping")) }, { pass: move(failed("overtaken")) })).toEqual([[], []]);
  });

  test("is an attempt that failed and changed nothing, once for each version and fault, until something else came of it", () => {
    const noSpace = { pass: move(failed("no-space")), backoff };
    const busy = { pass: move(failed("manager-busy")), backoff };
    const next = {
      pass: { ...move(failed("manager-busy")), decision: { ...upgrade, target: { ...upgrade.target, to: old } } },
      backoff,
    };
    expect(told(noSpace, noSpace, quiet, noSpace, busy, busy, next, noSpace)).toEqual([
      ["failed"],
      [],
      [],
      [],
      ["failed"],
      [],
      ["failed"],
      ["failed"],
    ]);
    expect(told(noSpace, { pass: move(moved), backoff: undefined }, noSpace)).toEqual([["failed"], ["moved"], ["failed"]]);
    // Somebody has said retry, or the wait is over otherwise.
    expect(told(noSpace, { pass: {}, backoff: undefined }, noSpace)).toEqual([["failed"], [], ["failed"]]);
  });

  test("is each move that failed after it had changed something, however often", () => {
    const back = { kind: "not-tried", why: "w" } as const;
    const half = { pass: move(failed("install-failed", back)), backoff };
    expect(told(half, half)).toEqual([["failed"], ["failed"]]);
  });

  test.each<[Recovered["ended"], readonly string[]]>([
    ["unchanged", []],
    ["finished", ["recovered finished"]],
    ["undone", ["recovered undone"]],
    ["not-mended", ["recovered not-mended"]],
  ])("of what an earlier pass had begun is what came of it: %s", (ended, names) => {
    expect(told({ pass: { recovered: { step: "install", served, ended } } })).toEqual([names]);
  });

  test("is that somebody is needed, when it begins, and again when it begins again", () => {
    const need = { needsOperator: { at: 5, why: "w" } };
    const cut = { pass: stopped({ kind: "stopped", fault: { code: "busy", message: "m", hint: "h", causes: [] } }) };
    expect(told({ ...quiet, ...need }, quiet, cut, quiet)).toEqual([["needs-operator"], [], [], []]);
    expect(
      told({ ...quiet, ...need }, { ...quiet, needsOperator: undefined }, { ...quiet, needsOperator: { at: 9, why: "w" } }),
    ).toEqual([["needs-operator"], [], ["needs-operator"]]);
  });

  test("is that repairs were in vain, which no failure says, once over passes that come to no decision", () => {
    const vain = {
      pass: { decision: { kind: "stay", why: "needs-operator", told: "t" } as const },
      repair: { to: old, attempts: 2, isNowhere: false },
    };
    const cut = { pass: stopped({ kind: "stopped", fault: { code: "busy", message: "m", hint: "h", causes: [] } }) };
    expect(told(vain, vain, cut, vain)).toEqual([["needs-operator"], [], [], []]);
    expect(told(vain, quiet, vain)).toEqual([["needs-operator"], [], ["needs-operator"]]);
  });

  test("is that a pass found somebody needed, once, where no repair is remembered", () => {
    const found = { pass: { decision: { kind: "stay", why: "needs-operator", told: "t" } as const } };
    expect(told(found, found, quiet, found)).toEqual([["needs-operator"], [], [], ["needs-operator"]]);
  });

  test("is that contact is lost, once it is called so, and that it is there again", () => {
    const silent = { silentSince: 50 };
    const unheard = { pass: stopped({ ...lost, fault: { ...fault(lost), code: "channel-unreachable" } }), ...silent };
    const gone = { pass: stopped(lost), ...silent };
    const repaired = { pass: { ...move(moved), unanswered: fault(lost) }, ...silent };
    expect(told(unheard, gone, gone, unheard, gone, { ...quiet, silentSince: undefined }, quiet)).toEqual([
      [],
      ["contact-lost"],
      [],
      [],
      [],
      ["contact-regained"],
      [],
    ]);
    expect(told(repaired)).toEqual([["moved", "contact-lost"]]);
    // A silence that was never told ends without a word.
    expect(told(unheard, { ...quiet, silentSince: undefined })).toEqual([[], []]);
  });

  test("for whoever has just been named is the last pass, and what goes on; not what is past", () => {
    const passes = [recordOf("b", move(undone("unhealthy", "health"))), recordOf("a", move(moved))];
    const begun = beginTelling({ ...emptyState, passes, needsOperator: { at: 5, why: "w" } });
    expect(beginTelling(begun)).toBe(begun);
    const { news, told: after } = newsIn({ ...begun, passes: [recordOf("c", move(moved)), ...passes] });
    expect(news.map(nameOf)).toEqual(["moved", "needs-operator"]);
    expect(after.passes).toEqual(["c", "b", "a"]);
  });

  test("once it is noted is none, whatever the state is; and to ask changes nothing", () => {
    fc.assert(
      fc.property(arbitraryState("any"), (state) => {
        const before = structuredClone(state);
        const { told: after } = newsIn(state);
        expect(state).toEqual(before);
        const noted = { ...state, told: after };
        expect(newsIn(noted)).toEqual({ news: [], told: after });
        expect(hasNews(noted)).toBe(false);
      }),
    );
  });
});

function fault(outcome: Outcome) {
  if (outcome.kind !== "stopped") throw new Error("only what was stopped is asked");
  return outcome.fault;
}
