import { describe, expect, test } from "vitest";
import { paintFor } from "../../../../src/updater/cli/screen/paint.ts";
import { renderHistory } from "../../../../src/updater/cli/screen/history.ts";
import {
  addEntry,
  addLost,
  addRecovery,
  decodeHistory,
  emptyHistory,
  movesOf,
  type History,
} from "../../../../src/updater/record/history.ts";
import type { Move } from "../../../../src/updater/plan/host-decision.ts";
import type { Outcome, PassRecord } from "../../../../src/updater/record/state.ts";
import type { Version } from "../../../../src/rules/version/version.ts";
import type { HistoryView } from "../../../../src/updater/status/history.ts";
import {
  backFailed,
  current,
  cutOff,
  failed,
  moved,
  notTried,
  outside,
  packaged,
  pass,
  repair,
  stayed,
  stuck,
  undone,
  upgrade,
} from "../../record/given.ts";

const day = 86_400;
// Wed 2026-11-25 03:00 UTC
const now = 1_795_575_600;
const nothing: HistoryView = { now, root: "/", entries: [], step: undefined, isRunning: false, since: [], unread: [] };
const plain = paintFor("other", { environment: {} });

function shown(view: Partial<HistoryView>, zone: string = "UTC"): string {
  return renderHistory({ ...nothing, ...view }, { zone, paint: plain });
}

function passAt(at: number, decision: PassRecord["decision"], outcome: Outcome): PassRecord {
  return { ...pass(decision, outcome).record, id: String(at), startedAt: at, seconds: 12 };
}

const added = (before: History, decision: Move, outcome: Outcome, at: number, from: string | null = "15.4.5-1"): History =>
  movesOf(passAt(at, decision, outcome), { from: from ?? undefined, to: packaged }).reduce(addEntry, before);

describe("the screen of the history", () => {
  test("says so where nothing was ever tried", () => {
    expect(shown({})).toBe("Nothing was upgraded or tried on this host yet.\n");
  });

  test("has the newest move first, and below each what went wrong and what that left", () => {
    const ill = { code: "unhealthy", message: "svc.service is failed", hint: "see why: svc-upgrade status", causes: [] } as const;
    let history = added(
      emptyHistory,
      { ...upgrade, target: { kind: "install", to: "15.4.6" as Version } },
      moved,
      now - 30 * day,
      null,
    );
    for (let times = 0; times < 14; times += 1)
      history = added(history, upgrade, failed("not-offered", "offer"), now - 9 * day + times * 3600);
    history = added(history, upgrade, { ...undone("unhealthy", "health"), fault: ill } as Outcome, now - 7 * day);
    history = addRecovery(history, cutOff("install", { pass: "x", changingSince: now - 6 * day }), {
      pass: "y",
      at: now - 6 * day + 600,
      step: "install",
      ended: "finished",
    });
    history = added(
      history,
      { ...upgrade, why: "rollback", target: { kind: "downgrade", from: "15.4.6" as Version, to: "15.4.5" as Version } },
      moved,
      now - 5 * day,
      "15.4.7-1",
    );
    history = added(history, { ...repair, why: "rescue" }, moved, now - 4 * day, packaged);
    history = addLost(history, { at: now - 3 * day, event: "moved", why: "the receiver did not answer" });
    history = added(history, { ...upgrade, why: "critical" }, stuck("unhealthy", "health", notTried), now - 2 * day);
    history = added(history, upgrade, { ...stuck("unhealthy", "health", backFailed), fault: ill } as Outcome, now - day);
    expect(shown(history)).toBe(`\
Tue 2026-11-24 03:00 UTC  upgrade from 15.4.5-1 to 15.4.6-1: failed at health
                          (unhealthy), not undone, 12 s (window)
    svc.service is failed; see why: svc-upgrade status
    agent said: svc: bad configuration
    the rollback failed at back-install: it was no-space; h
Mon 2026-11-23 03:00 UTC  upgrade from 15.4.5-1 to 15.4.6-1: failed at health
                          (unhealthy), not undone, 12 s (critical)
    it was unhealthy
    agent said: svc: bad configuration
    not rolled back: the package of 15.4.5-1 is not at hand
Sun 2026-11-22 03:00 UTC  nobody was told (moved): the receiver did not answer
Sat 2026-11-21 03:00 UTC  repaired 15.4.6-1, 12 s (rescue)
Fri 2026-11-20 03:00 UTC  rolled back by hand from 15.4.7-1 to 15.4.6-1, 12 s
Thu 2026-11-19 03:00 UTC  upgrade from 15.4.5-1 to 15.4.6-1: did not finish; a
                          later pass finished it (window)
    the pass did not finish: it was installing 15.4.6
Wed 2026-11-18 03:00 UTC  upgrade from 15.4.5-1 to 15.4.6-1: undone at health
                          (unhealthy), 12 s (window)
    svc.service is failed
    15.4.5-1 is installed again
Mon 2026-11-16 16:00 UTC  upgrade from 15.4.5-1 to 15.4.6-1: failed at offer
                          (not-offered), nothing was changed, 12 s (window), 14
                          times since Mon 2026-11-16 03:00 UTC
    it was not-offered
Mon 2026-10-26 03:00 UTC  installed 15.4.6-1, 12 s (window)
`);
  });

  test("ends with the passes since, those that were alike in one line", () => {
    const quiet = [1, 2, 3].map((times) => passAt(now - 600 * times, current, stayed));
    const since = [...quiet, passAt(now - 2400, outside, stayed)];
    expect(shown({ ...added(emptyHistory, upgrade, moved, now - 3600), since })).toBe(`\
Wed 2026-11-25 02:00 UTC  upgraded from 15.4.5-1 to 15.4.6-1, 12 s (window)

Passes since, the last first:
  Wed 2026-11-25 02:30–02:50 UTC: stayed: current, 3 passes, at most 12 s
  Wed 2026-11-25 02:20 UTC: stayed: outside-window, 12 s
`);
    expect(shown({ since: quiet })).toMatch(/^Nothing was .*\n\nIts passes, the last first:\n  Wed /);
  });

  test.each([
    [true, "Wed 2026-11-25 02:59 UTC  installing 15.4.6: under way\n"],
    [
      false,
      `Wed 2026-11-25 02:59 UTC  installing 15.4.6: did not finish
    the next pass goes on from there; what it waits for: svc-upgrade status
`,
    ],
  ])("begins with what is in hand (by a pass that runs: %s)", (isRunning, text) => {
    expect(shown({ step: cutOff("install", { startedAt: now - 60 }), isRunning })).toBe(text);
  });

  test("tells of what a later release wrote by its own words, and of what cannot be seen", () => {
    const [one] = added(emptyHistory, upgrade, moved, now - 3600).entries;
    const later = {
      schema: 1,
      entries: [
        { kind: "eclipse", at: now },
        { ...one, outcome: { kind: "hovered" } },
      ],
    };
    const read = decodeHistory(JSON.stringify(later));
    if (read.kind === "unreadable") throw new Error(read.why);
    expect(shown({ ...read.value, unread: ["the history may not be read by this user: /x"] })).toBe(`\
Wed 2026-11-25 03:00 UTC  as a later release of svc-upgrade tells it: eclipse
Wed 2026-11-25 02:00 UTC  upgrade from 15.4.5-1 to 15.4.6-1: hovered, 12 s
                          (window)

not seen: the history may not be read by this user: /x
`);
  });
});
