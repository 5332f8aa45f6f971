import { describe, expect, test } from "vitest";
import {
  doubtOf,
  movedLine,
  tellCrash,
  tellDecision,
  tellFault,
  tellMoved,
  tellNoRollback,
  tellServed,
  tellUndone,
} from "../../../src/updater/sentences/decision.ts";
import { decide } from "../../../src/updater/plan/decide-host.ts";
import type { Stay, StayReason } from "../../../src/updater/plan/host-decision.ts";
import { stayReasons } from "../../../src/updater/plan/host-reasons.ts";
import { noMemory, type Facts } from "../../../src/updater/plan/host-facts.ts";
import type { Foreseen } from "../../../src/updater/plan/foreseen.ts";
import type { Policy } from "../../../src/updater/plan/host-policy.ts";
import type { Movement } from "../../../src/updater/plan/target.ts";
import { calledCritical, faultOf, given, now, present, previousOf, remembering, serves, windowStop } from "../plan/given.ts";
import { emptyState, type PassRecord } from "../../../src/updater/record/state.ts";
import type { UnitName } from "../../../src/rules/settings/settings.ts";
import { packageVersion, version } from "../../rules/version/given.ts";
import { moves, stays, type Case } from "./reasons.ts";

/** Stays that say more, or less, than the usual one of their reason. */
const otherStays: readonly (readonly [string, ...Case])[] = [
  [
    "the version that is served, with an agent that is not well and a rollback that failed",
    {
      ...remembering({ needsOperator: { at: now, why: "the rollback failed" } }),
      answer: serves(version("15.4.5")),
      agent: "unhealthy",
    },
    {},
    "warning: no upgrades available (15.4.5 == 15.4.5); but the rollback failed; lifted by: svc-upgrade retry channel=default agent=unhealthy",
  ],
  [
    "the version that is served, with an agent that has not been well for hours",
    { ...remembering({ unhealthyPasses: 20 }), answer: serves(version("15.4.5")), agent: "unhealthy" },
    {},
    "warning: no upgrades available (15.4.5 == 15.4.5); but the agent is unhealthy, for 20 passes in a row channel=default agent=unhealthy",
  ],
  [
    "a repair that waits",
    { answer: serves(version("15.4.5")), binary: { kind: "missing" }, now: windowStop },
    {},
    "warning: no upgrades available (15.4.5 == 15.4.5), not now: outside the maintenance window, the next one opens at 2026-11-27T02:00:00Z; but the agent's binary is missing channel=default why=outside-window until=2026-11-27T02:00:00Z",
  ],
  [
    "a rollback whose package is held",
    {
      answer: { kind: "not-asked" },
      installed: present({ isHeld: true, condition: "half-way" }),
      ...remembering({ previous: previousOf() }),
    },
    { asked: { when: "back", absent: "stop" } },
    "warning: the package manager holds the package at its version; but the package is only half installed; lifted by: release the package's hold in the package manager, or set `holds: override` channel=default why=package-held",
  ],
  [
    "an agent that is not installed",
    { installed: { kind: "absent" }, now: windowStop },
    { asked: { when: "timer", absent: "install" } },
    "info: an upgrade is available (not installed -> 15.4.6), not now: outside the maintenance window, the next one opens at 2026-11-27T02:00:00Z channel=default why=outside-window until=2026-11-27T02:00:00Z",
  ],
];

/** Every way to move. */
const movements: Readonly<Record<Movement["kind"], Case>> = {
  install: [
    { installed: { kind: "absent" } },
    { asked: { when: "now", absent: "install" } },
    "info: an upgrade is available (not installed -> 15.4.6), a pass would install now: it was asked for channel=default why=asked",
  ],
  upgrade: [
    {},
    {},
    "info: an upgrade is available (15.4.5 -> 15.4.6), a pass would upgrade now: the maintenance window is open until 2026-11-20T03:00:00Z channel=default why=window",
  ],
  downgrade: [
    { answer: serves(version("15.4.4")) },
    { downgrade: "allow" },
    "info: no upgrades available (15.4.5 > 15.4.4), a pass would downgrade now: the maintenance window is open until 2026-11-20T03:00:00Z channel=default why=window",
  ],
  repair: [
    { answer: serves(version("15.4.5")), binary: { kind: "missing" } },
    {},
    "info: no upgrades available (15.4.5 == 15.4.5), a pass would repair now: the agent's binary is missing, and the maintenance window is open until 2026-11-20T03:00:00Z channel=default why=window",
  ],
};

function told(
  [facts, policy]: readonly [Partial<Facts>, Partial<Policy>, ...rest: readonly string[]],
  mood: "doing" | "would-do",
  foreseen?: Foreseen,
): { readonly kind: string; readonly why: string; readonly line: string } {
  const situation = given(facts, policy);
  const decision = decide(situation.facts, situation.policy);
  if (decision.kind === "stop") throw new Error(decision.fault.message);
  const { level, sentence, fields } = tellDecision(situation.facts, decision, {
    channel: "default",
    pin: situation.policy.pin,
    mood,
    foreseen,
  });
  const said = Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}`]));
  const kind = decision.kind === "move" ? decision.target.kind : "stay";
  return { kind, why: decision.why, line: [`${level}:`, sentence, ...said].join(" ") };
}

describe("what a dry run saw ahead is told", () => {
  const notOffered = {
    code: "not-offered",
    message: "no repository of this host offers svc-ent 15.4.6; they offer 15.4.5",
    hint: "see the repository",
    causes: [],
  } as const;
  const refused: Foreseen = { kind: "refused", fault: notOffered, listsAt: now - 3600 };
  const planRefused: Foreseen = { kind: "refused", fault: { ...notOffered, code: "plan-refused" }, listsAt: undefined };
  const possible: Foreseen = { kind: "possible", listsAt: now };
  const unlooked: Foreseen = {
    kind: "not-looked",
    told: "whether a repository offers it was not looked at: run it as root",
    listsAt: now,
  };
  const start = "an upgrade is available (15.4.5 -> 15.4.6)";
  const open = "the maintenance window is open until 2026-11-20T03:00:00Z";
  const wait = "not now: outside the maintenance window, the next one opens at 2026-11-20T02:00:00Z";
  const before = windowStop - 3600 - 60;

  test.each<readonly [string, Foreseen, Partial<Facts>, string]>([
    [
      "a move that can be made, with no word more",
      possible,
      {},
      `info: ${start}, a pass would upgrade now: ${open} channel=default why=window`,
    ],
    [
      "a wait for one",
      possible,
      { now: before },
      `info: ${start}, ${wait} channel=default why=outside-window until=2026-11-20T02:00:00Z`,
    ],
    [
      "a move that nobody has looked at",
      unlooked,
      {},
      `info: ${start}, a pass would upgrade now: ${open}; whether a repository offers it was not looked at: run it as root channel=default why=window`,
    ],
    [
      "a move that cannot be made, by lists of an hour ago",
      refused,
      {},
      `warning: ${start}, a pass could not upgrade now: no repository of this host offers svc-ent 15.4.6; they offer 15.4.5, by the package lists as they are here; a pass fetches them again first; see the repository channel=default why=window fault=not-offered lists=2026-11-20T01:10:00Z`,
    ],
    [
      "one that is refused whatever the lists",
      planRefused,
      {},
      `warning: ${start}, a pass could not upgrade now: no repository of this host offers svc-ent 15.4.6; they offer 15.4.5; see the repository channel=default why=window fault=plan-refused`,
    ],
    [
      "a wait for one that cannot be made",
      planRefused,
      { now: before },
      `warning: ${start}, ${wait}; as things are, it could not be done then either: no repository of this host offers svc-ent 15.4.6; they offer 15.4.5; see the repository channel=default why=outside-window until=2026-11-20T02:00:00Z fault=plan-refused`,
    ],
  ])("%s", (_title, foreseen, facts, line) => {
    expect(told([facts, {}, ""], "would-do", foreseen).line).toBe(line);
  });
});

describe("a decision to stay is told", () => {
  test.each(Object.entries(stays))("where it is %s", (why, row) => {
    expect(told(row, "doing")).toEqual({ kind: "stay", why, line: row[2] });
    expect(told(row, "would-do")).toEqual(told(row, "doing"));
    // A fleet in good order has none of what concerns somebody.
    expect(row[2].startsWith("warning: ")).toBe(stayReasons[why as StayReason].concerns === "somebody");
  });

  test.each(otherStays)("with %s", (_title, ...row) => {
    expect(told(row, "doing").line).toBe(row[2]);
  });
});

describe("a decision to move is told", () => {
  test.each(Object.entries(moves))("where it is %s", (why, row) => {
    expect(told(row, "doing")).toMatchObject({ why, line: row[2] });
  });

  test.each(Object.entries(movements))("as a %s", (kind, row) => {
    expect(told(row, "would-do")).toMatchObject({ kind, line: row[2] });
  });
});

test("a move without an answer is told by what it does", () => {
  const facts = { answer: { kind: "not-asked" }, memory: { ...noMemory, previous: previousOf() } } as const;
  const { line } = told([facts, { asked: { when: "back", absent: "stop" } }, ""], "doing");
  expect(line).toBe("notice: downgrading now: a rollback was asked for channel=default why=rollback");
});

describe("a pin is told", () => {
  const pin = { version: version("15.4.5"), reason: undefined };

  test.each<[string, ...Case]>([
    [
      "without a comparison where the channel is silent",
      { answer: { kind: "fault", fault: faultOf("channel-unreachable") } },
      { pin },
      "info: pinned to 15.4.5; the channel gave no answer; lifted by: svc-upgrade unpin channel=default why=pinned",
    ],
    [
      "with an agent that is not well",
      { agent: "unhealthy", ...remembering({ unhealthyPasses: 2 }) },
      { pin },
      "warning: an upgrade is available (15.4.5 -> 15.4.6); pinned to 15.4.5; the channel serves 15.4.6; lifted by: svc-upgrade unpin; but the agent is unhealthy, for 2 passes in a row channel=default why=pinned agent=unhealthy",
    ],
    [
      "with what still needs a person",
      remembering({ needsOperator: { at: now, why: "the rollback failed" } }),
      { pin },
      "warning: an upgrade is available (15.4.5 -> 15.4.6); pinned to 15.4.5; the channel serves 15.4.6; lifted by: svc-upgrade unpin; but the rollback failed; lifted by: svc-upgrade retry channel=default why=pinned agent=running",
    ],
    [
      "with what waits for the window to reach it, and no word of what is critical",
      { answer: calledCritical(version("15.4.6"), { kind: "unnamed" }), schedule: { kind: "missing" } },
      { pin: { ...pin, version: version("15.4.7") } },
      "warning: an upgrade is available (15.4.5 -> 15.4.6), not now: 15.4.7 is pinned; no valid schedule: the file is missing; lifted by: the agent exports a schedule, or set a window, or `svc-upgrade run --now` channel=default why=schedule-missing",
    ],
  ])("%s", (_title, ...row) => {
    expect(told(row, "doing").line).toBe(row[2]);
  });
});

describe("what a pass at another time would do is told with that time", () => {
  test.each<[string, Partial<Facts>, string]>([
    [
      "where it would move",
      {},
      "an upgrade is available (15.4.5 -> 15.4.6), a pass at 2026-11-20T02:10:00Z would upgrade: the maintenance window is open until 2026-11-20T03:00:00Z",
    ],
    [
      "where it would stay",
      { schedule: { kind: "never" } },
      "an upgrade is available (15.4.5 -> 15.4.6), not at 2026-11-20T02:10:00Z: the schedule says never; lifted by: the agent exports another schedule, or `svc-upgrade run --now`",
    ],
  ])("%s", (_title, changes, sentence) => {
    const { facts, policy } = given(changes);
    const telling = { channel: "default", mood: "would-do", at: now } as const;
    expect(tellDecision(facts, decide(facts, policy), telling).sentence).toBe(sentence);
  });
});

describe("that an upgrade would wait, because nothing says when, is told while there is none", () => {
  const noSchedule = { kind: "none", why: "schedule-missing", told: "no valid schedule: the file is missing" } as const;
  const waits = "no valid schedule: the file is missing, so an upgrade would wait: ";
  const done = { answer: serves(version("15.4.5")) };
  const unwellDone = { ...done, agent: "unhealthy", ...remembering({ unhealthyPasses: 1 }) } as const;

  test.each<[string, Partial<Facts>, string | undefined, "info" | "warning", string]>([
    ["with a warning the first time", done, undefined, "warning", `(15.4.5 == 15.4.5); but ${waits}`],
    ["after what is wrong besides", unwellDone, "schedule-missing", "warning", `; but the agent is unhealthy; and ${waits}`],
  ])("%s", (_title, changes, toldBefore, level, part) => {
    const { facts, policy } = given(changes);
    const line = tellDecision(facts, decide(facts, policy), { channel: "default", mood: "doing", noSchedule, toldBefore });
    expect(line).toMatchObject({ level, fields: { schedule: "schedule-missing" } });
    expect(line.sentence).toContain(part);
  });

  test("and not while one waits already", () => {
    const { facts, policy } = given({ schedule: { kind: "missing" } });
    const line = tellDecision(facts, decide(facts, policy), { channel: "default", mood: "doing", noSchedule });
    expect(line.sentence).not.toContain("would wait");
  });
});

test("the served version is told without a comparison where nobody was asked", () => {
  const { facts } = given({ answer: { kind: "not-asked" } });
  const stay = { kind: "stay", why: "current", told: "15.4.5 is the version served" } as const;
  expect(tellDecision(facts, stay, { channel: "default", mood: "would-do" }).sentence).toBe(stay.told);
});

test("a rollback is told with the version that failed", () => {
  const back = { name: "svc-ent", to: packageVersion("15.4.5-1"), activation: "it runs" };
  const from = packageVersion("15.4.6-1");
  expect(tellUndone({ ...back, from }).sentence).toBe("rolled svc-ent back from 15.4.6-1 to 15.4.5-1; it runs");
});

test("a fault is told with what to do next, and with its cause where that says something new", () => {
  const fault = { code: "no-space", message: "no room on /usr", hint: "make room", causes: [] };
  expect(tellFault(fault)).toEqual({
    level: "error",
    sentence: "no room on /usr; make room",
    fields: { fault: "no-space", cause: undefined },
  });
  expect(tellFault({ ...fault, causes: ["ENOSPC", "deeper"] }).fields).toEqual({ fault: "no-space", cause: "ENOSPC" });
  expect(tellFault({ ...fault, causes: ["no room"] }).fields["cause"]).toBeUndefined();
  const { facts, policy } = given({ answer: { kind: "fault", fault: faultOf("channel-unreachable") } });
  const stopped = tellDecision(facts, decide(facts, policy), { channel: "default", mood: "doing" });
  expect([stopped.level, stopped.sentence]).toEqual(["error", "channel-unreachable happened; svc-upgrade doctor"]);
});

test.each<readonly [Movement, string | undefined, string, string]>([
  [{ kind: "install", to: version("15.4.6") }, undefined, "installed svc-ent 5:15.4.6-1; it runs", "installed (15.4.6)"],
  [
    { kind: "upgrade", from: version("15.4.5"), to: version("15.4.6") },
    "5:15.4.5-1",
    "upgraded svc-ent from 5:15.4.5-1 to 5:15.4.6-1; it runs",
    "upgraded (15.4.5 -> 15.4.6)",
  ],
  [
    { kind: "downgrade", from: version("15.4.7"), to: version("15.4.6") },
    "5:15.4.7-1",
    "downgraded svc-ent from 5:15.4.7-1 to 5:15.4.6-1; it runs",
    "downgraded (15.4.7 -> 15.4.6)",
  ],
  [
    { kind: "repair", from: version("15.4.6"), to: version("15.4.6"), why: "the agent's binary is missing" },
    "5:15.4.6-1",
    "repaired svc-ent 5:15.4.6-1; it runs",
    "repaired (15.4.6)",
  ],
  [
    { kind: "repair", from: undefined, to: version("15.4.6"), why: "the package is only half installed" },
    "2026-1",
    "repaired svc-ent from 2026-1 to 5:15.4.6-1; it runs",
    "repaired (half installed -> 15.4.6)",
  ],
])("the end of a move is told, in the log and as an answer: %j", (movement, from, sentence, line) => {
  const end = { name: "svc-ent", to: packageVersion("5:15.4.6-1"), activation: "it runs", seconds: 3 };
  const begun = from === undefined ? undefined : packageVersion(from);
  expect(tellMoved(movement, { ...end, from: begun })).toEqual({ level: "notice", sentence, fields: { seconds: 3 } });
  expect(movedLine(movement)).toBe(line);
});

test("what the channel serves is a version, none, or not known", () => {
  expect(tellServed(given().facts)).toBe("15.4.6");
  expect(tellServed(given({ answer: serves("none") }).facts)).toBe("none");
  expect(tellServed(given({ answer: { kind: "fault", fault: faultOf("bug") } }).facts)).toBeUndefined();
  expect(tellServed(given({ answer: { kind: "not-asked" } }).facts)).toBeUndefined();
});

describe("an update that is called critical and waits all the same", () => {
  const doubted = { answer: calledCritical(version("15.4.6"), { kind: "unnamed" }) };
  const stay = (why: StayReason): Stay => ({ kind: "stay", why, told: "" });
  const says = /^it is called critical, which does not count yet: /;

  test.each(["clock", "blackout", "window-too-short", "outside-window", "schedule-missing"] as const)(
    "is told where it would have passed the gate: %s",
    (why) => {
      expect(doubtOf(given(doubted).facts, stay(why))).toMatch(says);
    },
  );

  test.each(["needs-operator", "held", "rejected", "backing-off", "major-refused", "never"] as const)(
    "is not where it would have waited as well: %s",
    (why) => {
      expect(doubtOf(given(doubted).facts, stay(why))).toBeUndefined();
    },
  );

  test("is not where no upgrade is available, or nobody doubts it", () => {
    expect(
      doubtOf(given({ ...doubted, installed: present({ version: version("15.4.6") }) }).facts, stay("clock")),
    ).toBeUndefined();
    expect(doubtOf(given({ answer: serves(version("15.4.6"), "critical") }).facts, stay("clock"))).toBeUndefined();
    expect(doubtOf(given().facts, stay("clock"))).toBeUndefined();
    expect(doubtOf(given(doubted).facts, stay("clock"), { version: version("15.4.6"), reason: undefined })).toBeUndefined();
  });
});

describe("an agent that is not well any more", () => {
  const to = packageVersion("15.4.5-1");
  const moved = (more: object = {}): PassRecord =>
    ({ startedAt: now - 600, outcome: { kind: "moved", from: undefined, to, seconds: 1 }, ...more }) as unknown as PassRecord;
  const stayed = moved({ outcome: { kind: "stayed" } });
  const ill = { agent: "unhealthy", ...remembering({ unhealthyPasses: 1 }) } as const;
  const crash = (facts: Partial<Facts>, passes: readonly PassRecord[]): string | undefined =>
    tellCrash(given(facts).facts, { ...emptyState, passes }, "svc.service" as UnitName)?.sentence;

  test("is told by the first pass that finds it so, within a day of the move", () => {
    const sentence = "svc.service was healthy after the move to 15.4.5-1, and is not any more; to undo it: svc-upgrade rollback";
    expect(crash(ill, [stayed, moved()])).toBe(sentence);
    expect(crash(ill, [moved({ startedAt: now - 86_400 })])).toBe(sentence);
  });

  test.each<[title: string, facts: Partial<Facts>, passes: readonly PassRecord[]]>([
    ["where it is well", { ...ill, agent: "running" }, [moved()]],
    ["by a second pass", { ...ill, ...remembering({ unhealthyPasses: 2 }) }, [moved()]],
    ["where it is not installed", { ...ill, installed: { kind: "absent" } }, [moved()]],
    ["where nothing was moved", ill, [stayed]],
    ["where no pass is known", ill, []],
    [
      "where another version runs by now",
      { ...ill, installed: present({ packageVersion: packageVersion("15.4.6-1") }) },
      [moved()],
    ],
    ["a day after the move", ill, [moved({ startedAt: now - 86_401 })]],
  ])("is not told %s", (_title, facts, passes) => {
    expect(crash(facts, passes)).toBeUndefined();
  });
});

describe("a version that could not be taken back", () => {
  const failed = (code: "read-only" | "no-space") => ({ kind: "failed", step: "back-install", fault: faultOf(code) }) as const;

  test("calls for an administrator", () => {
    for (const [cause, code] of [
      ["unhealthy", "no-space"],
      ["unhealthy", "read-only"],
      ["read-only", "no-space"],
    ] as const) {
      const { level, sentence, fields } = tellNoRollback(failed(code), cause);
      expect([level, fields]).toEqual(["error", { fault: "way-back-failed", cause: code }]);
      expect(sentence).toMatch(/back-install: .*; then `svc-upgrade retry`$/);
    }
  });

  test("is left to a later pass where nothing could be written either way", () => {
    const { level, sentence, fields } = tellNoRollback(failed("read-only"), "read-only");
    expect([level, fields]).toEqual(["error", { fault: "read-only" }]);
    expect(sentence).toMatch(/a later pass repairs the package by itself$/);
  });

  test("says why where that was not tried", () => {
    const { level, sentence } = tellNoRollback({ kind: "not-tried", why: "it was itself one" }, "unhealthy");
    expect([level, sentence]).toEqual(["error", expect.stringMatching(/: it was itself one$/)]);
  });
});
