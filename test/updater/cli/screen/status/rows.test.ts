import { describe, expect, test } from "vitest";
import type { Decision } from "../../../../../src/updater/plan/host-decision.ts";
import type { KeptPackage, Outcome, State } from "../../../../../src/updater/record/state.ts";
import type { PackageName } from "../../../../../src/rules/settings/settings.ts";
import type { AlongSeen, Observed } from "../../../../../src/updater/status/observed.ts";
import { heardBefore, servedBefore } from "../../../../rules/channel/given.ts";
import {
  backoffOf,
  faultOf,
  given,
  now,
  nextStart,
  previousOf,
  rejectionOf,
  servedVersion,
  serves,
  windowStop,
} from "../../../plan/given.ts";
import { passOf, seenOf, stepInHand, unitsAt, type Host } from "../../../status/given.ts";
import { packageVersion, version } from "../../../../rules/version/given.ts";
import { rows, screen } from "./given.ts";

const closed = { now: windowStop };
const stale: Partial<Observed["schedule"]> = { schedule: { kind: "stale", endedAt: now - 86_400 } };

function schedule(changes: Partial<Observed["schedule"]>): Partial<Observed> {
  return { schedule: { ...seenOf().schedule, ...changes } };
}

const invalid = { kind: "invalid", line: 3, text: "oops", why: "expected START STOP" } as const;
const local = { window: { utc_start_hour: 2, weekdays: ["Fri", "Sat"] } };
const ends = now - 3600;

function keptPackage(text: string): KeptPackage {
  return { packageVersion: packageVersion(text), file: `${text}.deb`, sha256: "0", bytes: 1 };
}

const [libs, data] = ["svc-libs", "svc-data"] as PackageName[] as [PackageName, PackageName];
const overtaken: AlongSeen = {
  packageVersion: packageVersion("15.4.4-1"),
  names: [libs],
  objection: "svc-libs is at 15.4.7-1 by now",
};

/** What a row tells; undefined: it is not there. */
type Case = readonly [title: string, label: string, host: Host, told: string | undefined];

const cases: readonly Case[] = [
  ["the package where it says more than the version", "package", {}, "svc-ent 15.4.5-1"],
  ["when the last answer came", "last answer", {}, "Fri 2026-11-20 03:06 GMT+1"],
  [
    "that it was critical",
    "last answer",
    { facts: { answer: serves(version("15.4.6"), "critical") } },
    "Fri 2026-11-20 03:06 GMT+1, as a critical update",
  ],
  ["no answer where there was none", "last answer", { state: { lastContact: undefined } }, undefined],
  ["a silence", "silent", { state: { silentSince: now - 7200 } }, "no contact since Fri 2026-11-20 01:10 GMT+1 (2 hours ago)"],
  [
    "no silence twice",
    "silent",
    { state: { silentSince: now - 7200, ...stopped("channel-unreachable", "default").state } },
    undefined,
  ],
  [
    "that instances disagree",
    "instances",
    { state: { channels: heardBefore(now, "aba") } },
    "answers alternate between the channel configurations aaaaaaaaaaaa and bbbbbbbbbbbb: instances of the version server disagree, and hosts may flip between versions, last seen Fri 2026-11-20 03:00 GMT+1 (10 minutes ago) give all instances the same channels: `svc-proxy config digest` on each of them shows which one differs (unless a change was just taken back)",
  ],
  [
    "that versions alternate",
    "versions",
    { state: { heard: servedBefore(now, ["15.4.6", "15.4.5", "15.4.6"]) } },
    "the channel serves 15.4.6 and 15.4.5 in turn: instances of the version server disagree, or caches before it are of different age, last seen Fri 2026-11-20 03:00 GMT+1 (10 minutes ago) have every instance and every cache serve one version: ask each of them for the channel's version with curl (unless a change was just taken back)",
  ],
  [
    "no alternation where the version changed once",
    "versions",
    { state: { heard: servedBefore(now, ["15.4.5", "15.4.6"]) } },
    undefined,
  ],
  [
    "why a version that is called critical does not count as that",
    "critical",
    { state: { lastContact: { at: now - 240, served: servedVersion, isCritical: false, doubt: { kind: "unnamed" } } } },
    "called so, which does not count yet: the version server does not say which version it means; it counts if the next answer is the same",
  ],
  ["the channel and the endpoint", "channel", {}, "default at https://proxy.example.com"],
  [
    "the channel alone where the endpoint may not be known",
    "channel",
    { seen: { settings: { ...seenOf().settings!, endpoint: undefined } } },
    "default",
  ],
  ["a direct route", "route", {}, "direct (no HTTPS_PROXY is set)"],
  [
    "a proxy without its password",
    "route",
    {
      seen: {
        route: {
          kind: "proxy",
          rule: "HTTPS_PROXY",
          proxy: { scheme: "http", host: "proxy.example", port: 3128, credentials: { user: "fleet", password: "planted" } },
        },
      },
    },
    "proxy http://proxy.example:3128 (HTTPS_PROXY)",
  ],
  [
    "the windows in UTC and as people here tell the time",
    "schedule",
    {},
    "/etc/svc-upgrade.d/schedule, written 2 days ago; open for another 50 minutes Fri 2026-11-20 02:00–03:00 UTC = Fri 2026-11-20 03:00–04:00 GMT+1 Fri 2026-11-27 02:00–03:00 UTC = Fri 2026-11-27 03:00–04:00 GMT+1",
  ],
  [
    "when the next window opens",
    "schedule",
    { facts: closed },
    "/etc/svc-upgrade.d/schedule, written 2 days ago; opens in 6 days Fri 2026-11-27 02:00–03:00 UTC = Fri 2026-11-27 03:00–04:00 GMT+1",
  ],
  [
    "a schedule that is missing",
    "schedule",
    { seen: schedule({ schedule: { kind: "missing" }, writtenAt: undefined }) },
    "/etc/svc-upgrade.d/schedule is missing",
  ],
  [
    "whose agent wrote it",
    "schedule",
    { seen: schedule({ schedule: { kind: "never" }, cluster: "example.com" }) },
    "/etc/svc-upgrade.d/schedule, written by svc for the cluster example.com 2 days ago: nop, which means never",
  ],
  [
    "a cluster that has no window",
    "schedule",
    { seen: schedule({ schedule: { kind: "empty" }, cluster: "example.com" }) },
    "/etc/svc-upgrade.d/schedule, written by svc for the cluster example.com 2 days ago: no window is configured there",
  ],
  [
    "a stale schedule where the answer is another one",
    "schedule",
    { seen: schedule(stale) },
    "/etc/svc-upgrade.d/schedule, written 2 days ago: stale, its last window ended Thu 2026-11-19 03:10 GMT+1 (1 day ago)",
  ],
  [
    "a stale schedule shortly where the answer tells it",
    "schedule",
    { facts: { schedule: { kind: "stale", endedAt: ends } } },
    "/etc/svc-upgrade.d/schedule, written 2 days ago: stale",
  ],
  [
    "the line that is wrong where the answer is another one",
    "schedule",
    { seen: schedule({ schedule: invalid }) },
    '/etc/svc-upgrade.d/schedule, written 2 days ago: invalid, line 3 reads "oops": expected START STOP',
  ],
  [
    "what is wrong with the file as a whole",
    "schedule",
    {
      seen: schedule({ schedule: { ...invalid, line: 0, why: "the file is not used: it is a directory" }, writtenAt: undefined }),
    },
    "/etc/svc-upgrade.d/schedule: invalid: the file is not used: it is a directory",
  ],
  ["no schedule that may not be read", "schedule", { seen: schedule({ schedule: invalid, access: "denied" }) }, undefined],
  [
    "the window of the settings",
    "window",
    { facts: closed, settings: local },
    "Fri, Sat at 02:00 UTC for an hour; opens in 23 hours Sat 2026-11-21 02:00–03:00 UTC = Sat 2026-11-21 03:00–04:00 GMT+1 Fri 2026-11-27 02:00–03:00 UTC = Fri 2026-11-27 03:00–04:00 GMT+1 Sat 2026-11-28 02:00–03:00 UTC = Sat 2026-11-28 03:00–04:00 GMT+1",
  ],
  [
    "that it beats the schedule",
    "schedule",
    { settings: local },
    "/etc/svc-upgrade.d/schedule, written 2 days ago; not used: the window of the settings beats it",
  ],
  [
    "a blackout that is to come",
    "blackout",
    { settings: { blackouts: [{ from: "2026-12-20", to: "2027-01-02", reason: "year end" }] } },
    "Sun 2026-12-20 01:00–Sat 2027-01-02 01:00 GMT+1: year end",
  ],
  ["no blackout that is over", "blackout", { settings: { blackouts: [{ from: "2026-01-01", to: "2026-01-02" }] } }, undefined],
  [
    "where a hold is set, where the answer tells the rest",
    "hold",
    { settings: { hold: {} } },
    "set in /etc/svc-upgrade/70-hold.yaml",
  ],
  [
    "a hold that is not the answer",
    "hold",
    { facts: { answer: serves(version("15.4.5")) }, settings: { hold: { reason: "a fair" } } },
    "until it is removed: a fair; set in /etc/svc-upgrade/70-hold.yaml",
  ],
  [
    "where a pin is set, where the answer tells the rest",
    "pin",
    { settings: { pin: { version: "15.4.5" } } },
    "set in /etc/svc-upgrade/70-pin.yaml",
  ],
  [
    "a pin that is not the answer",
    "pin",
    { settings: { pin: { version: "15.4.7", reason: "audit" } } },
    "15.4.7: audit; set in /etc/svc-upgrade/70-pin.yaml",
  ],
  [
    "when a pass last ended well, where the last did not",
    "last good",
    { state: { ...stopped("bug").state, lastSuccessAt: now - 7200 } },
    "Fri 2026-11-20 01:10 GMT+1 (2 hours ago), the last pass without a fault",
  ],
  ["nothing of it where the last did", "last good", { state: { passes: [passOf()], lastSuccessAt: now - 240 } }, undefined],
  ["no rejected version twice", "rejected", { state: { rejected: [rejectionOf()] } }, undefined],
  [
    "another rejected version",
    "rejected",
    { state: { rejected: [rejectionOf({ served: version("15.4.5"), packageVersion: packageVersion("15.4.5-2") })] } },
    "15.4.5 (package 15.4.5-2), Thu 2026-11-19 03:10 GMT+1 (1 day ago): the agent did not come up; to try it again: sudo svc-upgrade retry 15.4.5",
  ],
  ["no wait twice", "wait", { state: { backoff: backoffOf() } }, undefined],
  [
    "a wait that is not the answer",
    "wait",
    { facts: { answer: serves(version("15.4.5")) }, state: { backoff: backoffOf() } },
    "with 15.4.6 until Fri 2026-11-20 03:20 GMT+1 (in 10 minutes), after a failure: not-offered happened",
  ],
  ["no call for a person twice", "operator", { state: { needsOperator: { at: now, why: "w" } } }, undefined],
  [
    "a call for a person that is not the answer",
    "operator",
    {
      state: { needsOperator: { at: now - 3600, why: "2 repairs did not mend it" } },
      seen: { units: unitsAt(now, { timer: { isEnabled: false, isActive: false } }) },
    },
    "2 repairs did not mend it, Fri 2026-11-20 02:10 GMT+1 (1 hour ago); lifted by: sudo svc-upgrade retry",
  ],
  [
    "a step that was cut off",
    "unfinished",
    {
      state: { step: stepInHand({ startedAt: now - 3600 }) },
    },
    "installing 15.4.6, Fri 2026-11-20 02:10 GMT+1 (1 hour ago); the next pass finishes it first",
  ],
  [
    "the packages that are kept for a rollback",
    "rollback",
    { state: { kept: [keptPackage("15.4.5-1"), keptPackage("15.4.4-1")], previous: previousOf() } },
    "to 15.4.4-1, its package is kept 15.4.5-1 is kept for a rollback of the next move",
  ],
  [
    "no rollback to what was fetched to move to",
    "rollback",
    { state: { kept: [keptPackage("15.4.6-1")], previous: previousOf() } },
    undefined,
  ],
  [
    "the version to go back to",
    "previous",
    { state: { kept: [keptPackage("15.4.4-1")], previous: previousOf() } },
    "15.4.4 (package 15.4.4-1), left Thu 2026-11-19 03:10 GMT+1 (1 day ago); back to it: sudo svc-upgrade rollback",
  ],
  [
    "the version to go back to, whose package is not kept",
    "previous",
    { state: { previous: previousOf() } },
    "15.4.4 (package 15.4.4-1), left Thu 2026-11-19 03:10 GMT+1 (1 day ago); its package is not kept",
  ],
  [
    "the version to go back to, whose companion was moved since",
    "previous",
    { state: { kept: [keptPackage("15.4.4-1")], previous: previousOf() }, seen: { along: [overtaken] } },
    "15.4.4 (package 15.4.4-1), left Thu 2026-11-19 03:10 GMT+1 (1 day ago); no rollback to it: svc-libs is at 15.4.7-1 by now",
  ],
  [
    "no rollback where a companion was moved since",
    "rollback",
    { state: { kept: [keptPackage("15.4.4-1")], previous: previousOf() }, seen: { along: [overtaken] } },
    undefined,
  ],
  [
    "the packages that are kept with what moves along",
    "rollback",
    {
      state: { kept: [keptPackage("15.4.5-1"), keptPackage("15.4.4-1")], previous: previousOf() },
      seen: {
        along: [
          { ...overtaken, objection: undefined },
          { packageVersion: packageVersion("15.4.5-1"), names: [libs, data], objection: undefined },
        ],
      },
    },
    "to 15.4.4-1, its package is kept, with 1 that moves along 15.4.5-1 is kept for a rollback of the next move, with 2 that move along; svc-upgrade doctor says whether that is all it takes",
  ],
  ["the agent", "agent", {}, "svc.service is active since Thu 2026-11-19 03:10 GMT+1, process 1234"],
  [
    "an ill agent",
    "agent",
    {
      facts: { agent: "unhealthy" },
      seen: { units: unitsAt(now, { agent: { active: "activating", sub: "auto-restart", mainPid: 0, restarts: 7 } }) },
    },
    "unhealthy: svc.service is activating (auto-restart), restarted 7 times by systemd",
  ],
  [
    "an agent that failed, and is not enabled",
    "agent",
    {
      seen: {
        units: unitsAt(now, {
          agent: { active: "failed", sub: "failed", result: "exit-code", mainPid: 0, restarts: 1, isEnabled: false },
        }),
      },
    },
    "svc.service is failed (exit-code), restarted 1 time by systemd, not enabled",
  ],
  ["the timer", "timer", {}, "on; last fired 4 minutes ago; next in 6 minutes"],
  [
    "a timer that has not fired",
    "timer",
    { seen: { units: unitsAt(now, { timer: { lastAt: undefined } }) } },
    "on; not fired yet; next in 6 minutes",
  ],
  [
    "a timer that is off",
    "timer",
    { seen: { units: unitsAt(now, { timer: { isActive: false, nextAt: undefined } }) } },
    "off; last fired 4 minutes ago",
  ],
  [
    "a timer that ends with this boot",
    "timer",
    { seen: { units: unitsAt(now, { timer: { isEnabled: false } }) } },
    "on; last fired 4 minutes ago; next in 6 minutes; svc-upgrade.timer is off after the next boot: sudo systemctl enable --now svc-upgrade.timer",
  ],
  [
    "that another root has no units",
    "units",
    { seen: { units: { kind: "another-root" } } },
    "not asked: on another root none of them runs",
  ],
  [
    "that systemd does not run",
    "units",
    { seen: { units: { kind: "no-systemd" } } },
    "none: systemd does not run here, so passes are started by hand",
  ],
  ["what could not be seen", "not seen", { seen: { unread: ["the one: /a", "the other: /b"] } }, "the one: /a the other: /b"],
];

describe("a row of the status tells", () => {
  test.each(cases)("%s", (_title, label, host, told) => expect(rows(host)[label]).toBe(told));
});

const outside: Decision = {
  kind: "stay",
  why: "outside-window",
  told: "outside the maintenance window, the next one opens at 2026-11-27T02:00:00Z",
  until: nextStart,
  lift: "svc-upgrade run --now",
};
const upgrade: Decision = {
  kind: "move",
  why: "window",
  told: "the window is open",
  target: { kind: "upgrade", from: version("15.4.4"), to: version("15.4.5") },
};
const moved: Outcome = { kind: "moved", from: "15.4.4-1", to: "15.4.5-1", seconds: 34 };
const failed: Outcome = { kind: "failed", step: "offer", fault: faultOf("not-offered"), evidence: [], back: undefined };
const cause = { step: "health", fault: faultOf("unhealthy"), evidence: ["panic: no such option", "x".repeat(90)] } as const;
const undone: Outcome = { kind: "undone", left: "15.4.6-1", to: "15.4.5-1", seconds: 60, ...cause };
const notTried: Outcome = { kind: "failed", back: { kind: "not-tried", why: "its package is not at hand" }, ...cause };
const backFailed: Outcome = {
  kind: "failed",
  back: { kind: "failed", step: "back-install", fault: faultOf("no-space") },
  ...cause,
};
const both = "the step health failed: unhealthy happened; the rollback failed at the step back-install: no-space happened";

function after(outcome: Outcome, state: Partial<State> = {}): Host {
  return { state: { passes: [passOf({ decision: upgrade, outcome })], ...state } };
}

function stopped(code: Parameters<typeof faultOf>[0], channel?: string): Host {
  const fault = faultOf(code);
  return { state: { passes: [passOf({ channel, decision: { kind: "stop", fault }, outcome: { kind: "stopped", fault } })] } };
}

describe("the last pass", () => {
  test.each<[title: string, host: Host, result: string]>([
    [
      "that did as one would now",
      { facts: closed, state: { passes: [passOf({ decision: outside })] } },
      "stayed (outside-window), as one would now",
    ],
    [
      "that stayed for another reason than now",
      { state: { passes: [passOf({ decision: outside })] } },
      "stayed (outside-window): outside the maintenance window, the next one opens at Fri 2026-11-27 03:00 GMT+1 (in 6 days)",
    ],
    [
      "that moved",
      { state: { passes: [passOf({ decision: upgrade, outcome: moved, seconds: 34 })] } },
      "upgraded from 15.4.4-1 to 15.4.5-1 in 34 seconds",
    ],
    [
      "that failed, where the answer says so",
      { state: { backoff: backoffOf(), passes: [passOf({ decision: upgrade, outcome: failed })] } },
      "failed at the step offer (not-offered), as told above",
    ],
    [
      "that failed, where the answer is another one",
      { state: { passes: [passOf({ decision: upgrade, outcome: failed })] } },
      "failed at the step offer: not-offered happened; svc-upgrade doctor",
    ],
    [
      "that was undone, where the answer says why",
      after(undone, { rejected: [rejectionOf({ why: "unhealthy happened" })] }),
      "failed at the step health (unhealthy), rolled back to 15.4.5-1",
    ],
    [
      "that failed without a rollback",
      after(notTried),
      "failed at the step health: unhealthy happened; svc-upgrade doctor; not rolled back: its package is not at hand",
    ],
    [
      "that failed without a rollback, where the answer says why",
      after(notTried, {
        needsOperator: { at: now, why: "unhealthy happened; there was no rollback: its package is not at hand" },
      }),
      "failed at the step health (unhealthy), and there was no rollback, as told above",
    ],
    [
      "that failed and could not be taken back",
      after(backFailed),
      "failed at the step health: unhealthy happened; svc-upgrade doctor; the rollback failed at the step back-install: no-space happened; svc-upgrade doctor",
    ],
    [
      "that ended in a fault which is the answer",
      stopped("channel-unreachable", "default"),
      "ended in the fault above (channel-unreachable)",
    ],
    [
      "that found no rollback",
      stopped("no-way-back", "default"),
      "ended in a fault (no-way-back): no-way-back happened; svc-upgrade doctor",
    ],
  ])("%s", (_title, host, result) => {
    expect(rows(host)["last pass"]?.replace(/^[^:]*:[^:]*: /, "")).toBe(result);
  });
});

describe("below the last pass", () => {
  test("stands what the agent said last, a line each, and none longer than the screen", () => {
    for (const outcome of [undone, notTried]) {
      expect(rows(after(outcome))["agent said"]).toBe(`panic: no such option ${"x".repeat(67)}…`);
    }
    expect(rows(after({ ...undone, evidence: [] }))["agent said"]).toBeUndefined();
    expect(rows(after(moved))["agent said"]).toBeUndefined();
  });

  test.each([
    ["unchanged", "the previous version is in place"],
    ["finished", "the move was finished"],
    ["undone", "the move was rolled back"],
    ["not-mended", "it could not be repaired"],
  ] as const)("stands what it did about a step that did not finish: %s", (ended, told) => {
    const recovered = { step: "verify", served: version("15.4.6"), ended } as const;
    const host = { state: { passes: [passOf({ recovered })] } };
    expect(rows(host)["recovered"]).toBe(`an earlier pass did not finish (it was verifying 15.4.6): ${told}`);
    expect(rows(host)["passes"]).toContain(`ended a cut-off verify (${ended}); stayed: outside-window, 1 s`);
  });
});

test.each(["15.4.5", "15.4.6"])("what needs a person is the answer, with both faults, also where %s is served", (served) => {
  const host = after(backFailed, { needsOperator: { at: now, why: `on the way to 15.4.6 ${both}` } });
  const told = screen({ ...host, facts: { answer: serves(version(served)) } }).split("\n\n")[0];
  expect(told?.replaceAll(/\s+/g, " ")).toContain(
    `Needs a person: svc-ent 15.4.5 is installed; the channel served ${served} (4 minutes ago). why on the way to 15.4.6 ${both} lifted by sudo svc-upgrade retry`,
  );
});

const off = { units: unitsAt(now, { timer: { isEnabled: false, isActive: false } }) };
const silent = stopped("channel-unreachable", "default").state!;

describe("what a pass would do now", () => {
  test.each<[title: string, host: Host, told: string | undefined]>([
    ["is the answer itself where nothing comes before it", {}, undefined],
    [
      "is told where the timer is off",
      { seen: off },
      "would upgrade to 15.4.6 (window): the maintenance window is open until Fri 2026-11-20 04:00 GMT+1 (in 50 minutes)",
    ],
    [
      "is told with what lifts it",
      { facts: { schedule: { kind: "never" } }, seen: off },
      "would stay (never): the schedule says never; lifted by: the agent exports another schedule, or `sudo svc-upgrade run --now`",
    ],
    [
      "is told by the last answer where the server is silent",
      { facts: closed, state: silent },
      "by the last answer would stay (outside-window): outside the maintenance window, the next one opens at Fri 2026-11-27 03:00 GMT+1 (in 6 days)",
    ],
    [
      "is no matter where the server never answered",
      { state: silent, seen: { basis: { kind: "unasked", facts: given().facts, asked: undefined } } },
      undefined,
    ],
    [
      "is not known where nothing was ever asked",
      { seen: { ...off, basis: { kind: "unasked", facts: given().facts, asked: "stable/cloud" } } },
      "cannot be told: the last answer was of the channel stable/cloud, and default is configured now",
    ],
  ])("%s", (_title, host, told) => expect(rows(host)["a pass now"]).toBe(told));
});

test("each pass has a line, the last one first", () => {
  const passes = [
    passOf({ decision: upgrade, outcome: moved, seconds: 34 }),
    passOf({ startedAt: now - 840, decision: upgrade, outcome: failed }),
    passOf({
      startedAt: now - 1440,
      decision: { kind: "stop", fault: faultOf("bug") },
      outcome: { kind: "stopped", fault: faultOf("bug") },
      seconds: 0,
    }),
    passOf({ startedAt: now - 2040 }),
    passOf({ startedAt: now - 2640, decision: upgrade, outcome: undone, seconds: 60 }),
    passOf({ startedAt: now - 3240, decision: upgrade, outcome: backFailed }),
  ];
  const lines = screen({ state: { passes } }).trimEnd().split("\n").slice(-6);
  expect(lines).toEqual([
    "passes      Fri 2026-11-20 03:06 GMT+1: upgraded from 15.4.4-1 to 15.4.5-1, 34 s",
    "            Fri 2026-11-20 02:56 GMT+1: failed at offer: not-offered, 1 s",
    "            Fri 2026-11-20 02:46 GMT+1: fault: bug, 0 s",
    "            Fri 2026-11-20 02:36 GMT+1: stayed: outside-window, 1 s",
    "            Fri 2026-11-20 02:26 GMT+1: undone at health: unhealthy, 60 s",
    "            Fri 2026-11-20 02:16 GMT+1: not undone at health: unhealthy, 1 s",
  ]);
});

test("no line is wider than the screen, and none ends in blanks", () => {
  const hosts = [...cases.map(([, , host]) => host), after(undone), after(backFailed)];
  const lines = hosts.flatMap((host) => screen(host).split("\n"));
  expect(lines.filter((line) => line.length > 80 || line.endsWith(" "))).toEqual([]);
});
