import { describe, expect, test } from "vitest";
import type { StayReason } from "../../../src/updater/plan/host-decision.ts";
import type { Build } from "../../../src/rules/decide/gate-facts.ts";
import type { OfferedPackage } from "../../../src/updater/plan/host-facts.ts";
import { decide } from "../../../src/updater/plan/decide-host.ts";
import type { Decision } from "../../../src/updater/plan/host-decision.ts";
import { printInstant } from "../../../src/rules/window/instant.ts";
import type { Schedule } from "../../../src/rules/window/schedule.ts";
import { packageVersion, version } from "../../rules/version/given.ts";
import {
  backoffOf,
  faultOf,
  given,
  installedVersion,
  nextStart,
  now,
  present,
  rejectionOf,
  remembering,
  servedVersion,
  serves,
  servesUnconfirmed,
  windowStop,
  type Given,
} from "./given.ts";

function decided({ facts, policy }: Given): Decision {
  return decide(facts, policy);
}

const asked = { when: "now", absent: "stop" } as const;
const installing = { when: "timer", absent: "install" } as const;
const upgrade = { kind: "upgrade", from: installedVersion, to: servedVersion };
const unreadable = present({ packageVersion: packageVersion("2026-1"), version: undefined });
const older = serves(version("15.4.4"));
const ill = remembering({ unhealthyPasses: 2 });
const blackout = { from: now - 10, to: now + 86_400, reason: undefined };
const faultySchedules: readonly Schedule[] = [
  { kind: "missing" },
  { kind: "empty" },
  { kind: "invalid", line: 3, text: "oops", why: "expected START STOP in unix seconds, or nop" },
  { kind: "stale", endedAt: now - 60 },
];

function offer(found: string, build: Partial<Build> = {}): OfferedPackage {
  return { packageVersion: packageVersion(found), build: { sha256: undefined, bytes: undefined, ...build } };
}

function windows(...pairs: readonly (readonly [number, number])[]): { readonly schedule: Schedule } {
  return { schedule: { kind: "windows", windows: pairs.map(([start, stop]) => ({ start: now + start, stop: now + stop })) } };
}

const inWindow = { kind: "move", why: "window" } as const;
function stays(why: StayReason): { readonly kind: "stay"; readonly why: StayReason } {
  return { kind: "stay", why };
}

type Case = readonly [title: string, given: Given, decision: Readonly<Record<string, unknown>>];

function decides(cases: readonly Case[]): void {
  test.each(cases)("%s", (_title, situation, decision) => {
    expect(decided(situation)).toMatchObject(decision);
  });
}

const silent = { answer: { kind: "fault", fault: faultOf("channel-unreachable") } } as const;

function pin(text: string, reason?: string): Given["policy"]["pin"] {
  return { version: version(text), reason };
}

describe("a pin", () => {
  test.each<Case>([
    [
      "on the installed version stays, and tells what is served and what lifts it",
      given({}, { pin: pin("15.4.5", "an audit") }),
      {
        kind: "stay",
        why: "pinned",
        told: "pinned to 15.4.5: an audit; the channel serves 15.4.6",
        lift: "svc-upgrade unpin",
      },
    ],
    [
      "on the installed version stays where that is served",
      given({ answer: serves(version("15.4.5+b")) }, { pin: pin("15.4.5") }),
      { why: "pinned", told: "pinned to 15.4.5; the channel serves it as well" },
    ],
    [
      "on the installed version stays where the channel serves none",
      given({ answer: serves("none") }, { pin: pin("15.4.5") }),
      { why: "pinned", told: "pinned to 15.4.5; the channel serves no version at present" },
    ],
    [
      "on the installed version stays where what is served may be outdated",
      given({ answer: servesUnconfirmed(servedVersion) }, { pin: pin("15.4.5") }),
      { why: "pinned", told: "pinned to 15.4.5; what the channel serves may be outdated" },
    ],
    [
      "on another version moves by an answer that may be outdated, too",
      given({ answer: servesUnconfirmed(servedVersion) }, { pin: pin("15.4.7") }),
      { kind: "move", target: { to: "15.4.7" } },
    ],
    [
      "on the installed version is no fault where the channel is silent",
      given(silent, { pin: pin("15.4.5") }),
      { why: "pinned", told: "pinned to 15.4.5; the channel gave no answer" },
    ],
    [
      "on the installed version stays where nobody has asked the channel",
      given({ answer: { kind: "not-asked" } }, { pin: pin("15.4.5") }),
      { why: "pinned", told: "pinned to 15.4.5; what the channel serves is not known yet" },
    ],
    [
      "takes the place of what is served",
      given({}, { pin: pin("15.4.7") }),
      {
        kind: "move",
        why: "window",
        target: { kind: "upgrade", to: "15.4.7" },
        told: /^15.4.7 is pinned; the maintenance window/,
      },
    ],
    [
      "needs no answer",
      given(silent, { pin: pin("15.4.7") }),
      { kind: "move", why: "window", target: { kind: "upgrade", to: "15.4.7" } },
    ],
    [
      "goes back where that is allowed",
      given({}, { pin: pin("15.4.4"), downgrade: "allow" }),
      { kind: "move", why: "window", target: { kind: "downgrade", to: "15.4.4" } },
    ],
    [
      "goes back no sooner",
      given({}, { pin: pin("15.4.4") }),
      { why: "downgrade-refused", told: "15.4.4 is pinned; 15.4.4 is older than the installed 15.4.5" },
    ],
    [
      "waits for the window, though what is served is critical",
      given({ answer: serves(servedVersion, "critical"), ...windows([600, 4200]) }, { pin: pin("15.4.6") }),
      { why: "outside-window", told: /^15.4.6 is pinned; outside the maintenance window/ },
    ],
    [
      "on a rejected version stays away, and names what helps",
      given(remembering({ rejected: [rejectionOf()] }), { pin: pin("15.4.6") }),
      { why: "rejected", lift: expect.stringMatching(/`svc-upgrade retry`, or `svc-upgrade unpin`$/) },
    ],
    [
      "moves at once when asked, to the pinned version alone",
      given(windows([600, 4200]), { asked, pin: pin("15.4.7") }),
      { kind: "move", why: "asked", target: { to: "15.4.7" } },
    ],
    [
      "goes back at once to the version that was just left",
      given(
        remembering({ previous: { version: version("15.4.4"), packageVersion: packageVersion("15.4.4-1"), leftAt: now - 60 } }),
        { pin: pin("15.4.4"), downgrade: "allow" },
      ),
      { kind: "move", target: { kind: "downgrade", to: "15.4.4" } },
    ],
    [
      "rescues an agent that is ill",
      given({ schedule: { kind: "missing" }, agent: "unhealthy", ...ill }, { pin: pin("15.4.7") }),
      { kind: "move", why: "rescue", told: /^15.4.7 is pinned; .* the pinned version may fix it$/ },
    ],
    [
      "repairs what is installed first",
      given({ binary: { kind: "missing" } }, { pin: pin("15.4.7") }),
      { kind: "move", target: { kind: "repair", to: "15.4.5" }, told: /^the maintenance window is open/ },
    ],
    [
      "mends what is half installed and holds no version",
      given({ installed: present({ version: undefined, condition: "half-way" }) }, { pin: pin("15.4.7") }),
      { kind: "move", target: { kind: "repair", from: undefined, to: "15.4.7" } },
    ],
  ])("%s", (_, situation, { told, ...decision }) => {
    const found = decided(situation);
    expect(found).toMatchObject(decision);
    if (told instanceof RegExp) expect(found).toMatchObject({ told: expect.stringMatching(told) });
    else if (told !== undefined) expect(found).toMatchObject({ told });
  });
});

describe("gate 1, the package", () => {
  decides([
    ["that is absent stops", given({ installed: { kind: "absent" } }), { fault: { code: "package-absent" } }],
    [
      "that is absent is installed where this was asked for",
      given({ installed: { kind: "absent" }, binary: { kind: "not-asked" } }, { asked: installing }),
      { kind: "move", why: "window", target: { kind: "install", to: servedVersion } },
    ],
    [
      "that is absent waits for the window, even if it was asked for",
      given({ installed: { kind: "absent" }, ...windows([600, 4200]) }, { asked: installing }),
      stays("outside-window"),
    ],
    ["whose version cannot be read stops", given({ installed: unreadable }), { fault: { code: "package-unreadable" } }],
    [
      "whose version cannot be read is mended when it is half installed",
      given({ installed: present({ version: undefined, condition: "half-way" }) }),
      { kind: "move", target: { kind: "repair", from: undefined, to: servedVersion, why: "the package is only half installed" } },
    ],
  ]);

  test("names the version that it cannot read", () => {
    const decision = decided(given({ installed: unreadable }));
    expect(decision).toMatchObject({ kind: "stop", fault: { message: expect.stringContaining("2026-1"), causes: [] } });
  });
});

describe("gate 2, an answer that is a fault", () => {
  test.each(["channel-unreachable", "answer-invalid", "tls-untrusted", "contact-lost"] as const)("stops with it: %s", (code) => {
    const fault = faultOf(code);
    expect(decided(given({ answer: { kind: "fault", fault } }))).toEqual({ kind: "stop", fault });
  });
});

describe("gates 3 and 4, nothing to move to", () => {
  decides([
    ["a channel that serves none", given({ answer: serves("none") }), stays("no-version")],
    [
      "a channel that serves none and calls it critical",
      given({ answer: serves("none", "critical") }, { asked }),
      stays("no-version"),
    ],
    [
      "an answer that may be outdated, even where somebody asks",
      given({ answer: servesUnconfirmed(servedVersion) }, { asked }),
      stays("unconfirmed"),
    ],
    ["one that names the installed version", given({ answer: servesUnconfirmed(installedVersion) }), stays("unconfirmed")],
    [
      "one that would be a downgrade",
      given({ answer: servesUnconfirmed(version("15.4.1")) }, { downgrade: "allow" }),
      stays("unconfirmed"),
    ],
    ["the version that is installed", given({ answer: serves(installedVersion) }), stays("current")],
    [
      "the installed version in a repacked source",
      given({
        answer: serves(servedVersion),
        installed: present({ version: version("15.4.6+dfsg") }),
        binary: { kind: "answers", version: servedVersion },
      }),
      { kind: "stay", why: "current", told: "15.4.6+dfsg is the version served" },
    ],
    [
      "an installed version whose binary was not asked",
      given({ answer: serves(installedVersion), binary: { kind: "not-asked" } }),
      stays("current"),
    ],
  ]);
});

describe("gates 5 to 8, what this host says", () => {
  const need = remembering({ needsOperator: { at: now - 60, why: "the rollback failed" } });
  decides([
    [
      "5: a person is needed",
      given(need),
      { kind: "stay", why: "needs-operator", told: "the rollback failed", lift: "svc-upgrade retry" },
    ],
    [
      "6: a hold without an end",
      given({}, { hold: { until: undefined, reason: undefined } }),
      { kind: "stay", why: "held", told: "upgrades are on hold", lift: "svc-upgrade unhold" },
    ],
    [
      "6: a hold with an end and a reason",
      given({}, { hold: { until: now + 1, reason: "a fair" } }),
      {
        kind: "stay",
        why: "held",
        told: `upgrades are on hold until ${printInstant(now + 1)}: a fair`,
        until: now + 1,
        lift: "svc-upgrade unhold",
      },
    ],
    ["6: a hold that ends now", given({}, { hold: { until: now, reason: undefined } }), inWindow],
    ["7: a package that its manager holds", given({ installed: present({ isHeld: true }) }), stays("package-held")],
    [
      "7: a held package, with what its manager takes to release it",
      given({ installed: present({ isHeld: true }), unhold: "sudo apt-mark unhold svc-ent" }),
      { kind: "stay", why: "package-held", lift: "`sudo apt-mark unhold svc-ent`, or set `holds: override`" },
    ],
    [
      "7: a held package whose hold is overridden",
      given({ installed: present({ isHeld: true }) }, { holds: "override" }),
      inWindow,
    ],
    [
      "8: a version that failed here",
      given(remembering({ rejected: [rejectionOf()] })),
      {
        kind: "stay",
        why: "rejected",
        told: `15.4.6-1 was rejected here on ${printInstant(now - 86_400)}: the agent did not come up`,
        lift: "a newer version is served and does well here, another package of this version is offered, or `svc-upgrade retry`",
      },
    ],
    [
      "8: the package that failed here, of which no file is known, whatever its file is now",
      given({ offered: offer("15.4.6-1", { sha256: "b", bytes: 2 }), ...remembering({ rejected: [rejectionOf()] }) }),
      stays("rejected"),
    ],
    [
      "8: another package of the version that failed here",
      given({ offered: offer("15.4.6-2"), ...remembering({ rejected: [rejectionOf()] }) }),
      inWindow,
    ],
    [
      "8: the package that failed here, rebuilt under its old number",
      given({
        offered: offer("15.4.6-1", { sha256: "b" }),
        ...remembering({ rejected: [rejectionOf({ build: { sha256: "a", bytes: 1 } })] }),
      }),
      inWindow,
    ],
    [
      "8: the package that failed here, in a file of another size",
      given({
        offered: offer("15.4.6-1", { bytes: 2 }),
        ...remembering({ rejected: [rejectionOf({ build: { sha256: "a", bytes: 1 } })] }),
      }),
      inWindow,
    ],
    [
      "8: a file that nobody can tell from the one that failed here",
      given({ offered: offer("15.4.6-1"), ...remembering({ rejected: [rejectionOf({ build: { sha256: "a", bytes: 1 } })] }) }),
      stays("rejected"),
    ],
    [
      "8: another version than the one that failed here",
      given(remembering({ rejected: [rejectionOf({ served: version("15.4.7") })] })),
      inWindow,
    ],
  ]);
});

describe("a repair", () => {
  const broken = { binary: { kind: "missing" } } as const;
  const mends = { kind: "move", exactly: "15.4.5-1", target: { kind: "repair", from: installedVersion, to: installedVersion } };
  const vain = { to: installedVersion, attempts: 2, isNowhere: false };
  const didNotHelp = "2 repairs of 15.4.5 did not help: the agent's binary is missing";
  const rejectedHere = rejectionOf({ served: installedVersion, packageVersion: packageVersion("15.4.5-1") });
  decides([
    [
      "needs no answer",
      given({ ...broken, answer: { kind: "fault", fault: faultOf("contact-lost") } }),
      { ...mends, why: "window" },
    ],
    ["passes gate 8", given({ ...broken, ...remembering({ rejected: [rejectedHere] }) }), { ...mends, why: "window" }],
    [
      "of a version that cannot be read does not pass gate 8",
      given({
        installed: present({ version: undefined, condition: "half-way" }),
        ...remembering({ rejected: [rejectionOf()] }),
      }),
      stays("rejected"),
    ],
    [
      "waits after a failure",
      given({ ...broken, ...remembering({ backoff: backoffOf({ served: installedVersion }) }) }),
      stays("backing-off"),
    ],
    [
      "that did not help twice needs a person where nothing else is served",
      given({ ...broken, answer: serves(installedVersion), ...remembering({ repairs: vain }) }),
      { kind: "stay", why: "needs-operator", told: didNotHelp, lift: "svc-upgrade retry" },
    ],
    [
      "that did not help twice needs a person where the served version failed here as well",
      given({ ...broken, ...remembering({ repairs: vain, rejected: [rejectionOf()] }) }),
      {
        kind: "stay",
        why: "needs-operator",
        told: expect.stringMatching(/^2 repairs of 15\.4\.5 did not help: .*; 15\.4\.6-1 was rejected here/),
      },
    ],
    [
      "that did not help twice needs a person where the served version is older",
      given({ ...broken, answer: older, ...remembering({ repairs: vain }) }),
      { why: "needs-operator", told: `${didNotHelp}; the channel serves 15.4.4, older than the installed 15.4.5` },
    ],
    [
      "whose package is nowhere needs no person while the served version is refused: it is searched again",
      given({
        ...broken,
        answer: older,
        ...remembering({
          repairs: { ...vain, attempts: 0, isNowhere: true },
          backoff: backoffOf({ served: installedVersion }),
        }),
      }),
      stays("downgrade-refused"),
    ],
  ]);
});

describe("gate 9, backing off", () => {
  decides([
    [
      "stays, until when and after what",
      given(remembering({ backoff: backoffOf() })),
      {
        kind: "stay",
        why: "backing-off",
        until: now + 600,
        told: `waiting until ${printInstant(now + 600)} after a failure: not-offered happened`,
      },
    ],
    [
      "counts the failures",
      given(remembering({ backoff: backoffOf({ failures: 3 }) })),
      { kind: "stay", told: expect.stringContaining("after 3 failures: ") },
    ],
    ["ends at its end", given(remembering({ backoff: backoffOf({ until: now }) })), inWindow],
    [
      "never lasts for what a clock that ran ahead wrote down",
      given(remembering({ backoff: backoffOf({ until: now + 21_601 }) })),
      inWindow,
    ],
    ["is cleared by another served version", given(remembering({ backoff: backoffOf({ served: version("15.4.7") }) })), inWindow],
  ]);
});

describe("gate 10, the direction", () => {
  const far = serves(version("17.0.0"));
  decides([
    ["down is refused", given({ answer: older }), stays("downgrade-refused")],
    [
      "down to a prerelease of the installed one is refused",
      given({ answer: serves(version("15.4.5-rc.1")) }),
      stays("downgrade-refused"),
    ],
    [
      "down is gone where it is allowed",
      given({ answer: older }, { downgrade: "allow" }),
      { kind: "move", why: "window", target: { kind: "downgrade", from: installedVersion, to: version("15.4.4") } },
    ],
    ["two majors up are gone where any is allowed", given({ answer: far }), inWindow],
    ["two majors up are refused one step at a time", given({ answer: far }, { major: "one-step" }), stays("major-refused")],
    ["one major up is one step", given({ answer: serves(version("16.9.9")) }, { major: "one-step" }), inWindow],
    [
      "two majors down are no step up",
      given({ answer: serves(version("13.0.0")) }, { major: "one-step", downgrade: "allow" }),
      inWindow,
    ],
  ]);
});

describe("gates 11 to 15, the time", () => {
  const critical = serves(servedVersion, "critical");
  decides([
    ["11: asked, it moves", given({}, { asked }), { kind: "move", why: "asked", target: upgrade }],
    ["12: nop stays", given({ schedule: { kind: "never" } }), stays("never")],
    ["12: nop stays at any time", given({ schedule: { kind: "never" } }, { unscheduled: "anytime" }), stays("never")],
    [
      "12: nop says nothing beside a local window",
      given({ schedule: { kind: "never" } }, { window: { hourly: [{ utcStartHour: 2, weekdays: [5] }], spans: [] } }),
      inWindow,
    ],
    ["13: a critical update moves", given({ answer: critical, ...windows([600, 4200]) }), { kind: "move", why: "critical" }],
    [
      "13: a critical update moves without a schedule",
      given({ answer: critical, schedule: { kind: "missing" } }, { unscheduled: "wait" }),
      { kind: "move", why: "critical" },
    ],
    [
      "13: a critical downgrade is a downgrade",
      given({ answer: serves(version("15.4.4"), "critical"), ...windows([600, 4200]) }, { downgrade: "allow" }),
      stays("outside-window"),
    ],
    ["14: a wrong clock stays", given({ clock: { kind: "wrong", why: "it is early" } }), stays("clock")],
    ["14: a re-dated clock is right", given({ clock: { kind: "redated", why: "it went back" } }), inWindow],
    [
      "15: a blackout stays, until its end",
      given({}, { blackouts: [blackout] }),
      { kind: "stay", why: "blackout", until: now + 86_400, told: `a blackout lasts until ${printInstant(now + 86_400)}` },
    ],
    [
      "15: blackouts that touch are one",
      given(
        {},
        {
          blackouts: [
            { from: now + 86_400, to: now + 90_000, reason: "later" },
            { ...blackout, reason: "now" },
          ],
        },
      ),
      { kind: "stay", until: now + 90_000, told: `a blackout lasts until ${printInstant(now + 90_000)}: now` },
    ],
    [
      "15: a blackout that is over gives no reason any more",
      given(
        {},
        {
          blackouts: [
            { from: now - 7200, to: now, reason: "over" },
            { ...blackout, reason: "a freeze" },
          ],
        },
      ),
      { kind: "stay", told: `a blackout lasts until ${printInstant(now + 86_400)}: a freeze` },
    ],
    [
      "15: a blackout gives its reason from its first second on",
      given({}, { blackouts: [{ ...blackout, from: now, reason: "a freeze" }] }),
      { kind: "stay", told: `a blackout lasts until ${printInstant(now + 86_400)}: a freeze` },
    ],
    ["15: a blackout is over at its end", given({}, { blackouts: [{ ...blackout, to: now }] }), inWindow],
    ["15: a blackout to come does nothing yet", given({}, { blackouts: [{ ...blackout, from: now + 1 }] }), inWindow],
  ]);
});

describe("gate 16, the window", () => {
  const tooShort = stays("window-too-short");
  decides([
    [
      "open with time enough moves",
      given(),
      { kind: "move", why: "window", told: `the maintenance window is open until ${printInstant(windowStop)}`, target: upgrade },
    ],
    [
      "begins so early that it can end in it",
      given({ ...windows([0, 3600]), ...remembering({ moveSeconds: [500] }) }),
      { kind: "move", why: "window", until: now + 2600 },
    ],
    [
      "begins ten minutes before its end at the latest",
      given(windows([0, 3600])),
      { kind: "move", why: "window", until: now + 3000 },
    ],
    ["open for ten minutes more moves", given(windows([-3000, 600])), inWindow],
    ["open for less stays", given(windows([-3001, 599])), { ...tooShort, lift: "svc-upgrade run --now" }],
    [
      "open for less stays until the next one",
      given(windows([-3001, 599], [86_400, 90_000])),
      { ...tooShort, until: now + 86_400 },
    ],
    ["open for less, and more at once, moves", given(windows([-3001, 599], [599, 4199])), inWindow],
    [
      "says how long a pass may need",
      given({ ...windows([0, 999]), ...remembering({ moveSeconds: [500] }) }),
      { ...tooShort, told: `the maintenance window closes at ${printInstant(now + 999)}, and a pass may need 17 minutes` },
    ],
    [
      "says for how long in minutes that are begun",
      given({ ...windows([-901, 2699]), ...remembering({ moveSeconds: [9000] }) }),
      { ...tooShort, told: expect.stringMatching(/a pass may need 45 minutes$/) as string },
    ],
    [
      "needs twice the longest of the last five passes",
      given({ ...windows([0, 1000]), ...remembering({ moveSeconds: [1, 500, 2] }) }),
      { kind: "move" },
    ],
    ["and not a second less", given({ ...windows([0, 999]), ...remembering({ moveSeconds: [1, 2, 3, 4, 500] }) }), tooShort],
    [
      "forgets the sixth",
      given({ ...windows([0, 999]), ...remembering({ moveSeconds: [1, 2, 3, 4, 5, 500] }) }),
      { kind: "move" },
    ],
    [
      "never asks for more than an hour's window leaves",
      given({ ...windows([-900, 2700]), ...remembering({ moveSeconds: [9000] }) }),
      inWindow,
    ],
    ["closed stays until the next one", given(windows([600, 4200])), { kind: "stay", why: "outside-window", until: now + 600 }],
    [
      "of the local settings beats the file's",
      given({}, { window: { hourly: [{ utcStartHour: 3, weekdays: [] }], spans: [] } }),
      { kind: "stay", why: "outside-window", until: now + 3000 },
    ],
    [
      "of the local settings opens although the file's is closed",
      given(windows([600, 4200]), { window: { hourly: [{ utcStartHour: 2, weekdays: [] }], spans: [] } }),
      { kind: "move", why: "window", told: `the maintenance window is open until ${printInstant(now + 3000)}` },
    ],
    [
      "of the local settings, too short, comes again in a week",
      given({ now: windowStop - 599 }, { window: { hourly: [{ utcStartHour: 2, weekdays: [5] }], spans: [] } }),
      { ...tooShort, until: nextStart },
    ],
  ]);
});

describe("gate 17, no valid schedule", () => {
  const messages = [
    ["schedule-missing", "no valid schedule: the file is missing"],
    ["schedule-empty", "no valid schedule: the file is empty"],
    ["schedule-invalid", 'no valid schedule: line 3 reads "oops": expected START STOP in unix seconds, or nop'],
    ["schedule-stale", `no valid schedule: its last window ended at ${printInstant(now - 60)}`],
  ] as const;
  test.each(faultySchedules.map((schedule, index) => [schedule.kind, schedule, ...messages[index]!] as const))(
    "%s has its own word and message",
    (...[, schedule, why, told]) => {
      expect(decided(given({ schedule }))).toMatchObject({ kind: "stay", why, told });
      expect(decided(given({ schedule }, { unscheduled: "wait" }))).toMatchObject({ kind: "stay", why, told });
      expect(decided(given({ schedule }, { unscheduled: "anytime" }))).toMatchObject({
        kind: "move",
        why: "anytime",
        told: `${told}, and unscheduled: anytime allows it`,
      });
      expect(decided(given({ schedule, agent: "unhealthy", ...ill }))).toMatchObject({
        kind: "move",
        why: "rescue",
        told: `${told}, but the agent is unhealthy, and the served version may fix it`,
      });
    },
  );

  test("a file that is wrong as a whole has no line to show", () => {
    const schedule: Schedule = { kind: "invalid", line: 0, text: "", why: "it is larger than 64 KiB" };
    expect(decided(given({ schedule }))).toMatchObject({ told: "no valid schedule: it is larger than 64 KiB" });
  });

  const schedule: Schedule = { kind: "missing" };
  const missing = stays("schedule-missing");
  decides([
    [
      "an ill agent waits where the policy says wait",
      given({ schedule, agent: "unhealthy", ...ill }, { unscheduled: "wait" }),
      missing,
    ],
    ["one bad reading is no illness", given({ schedule, agent: "unhealthy", ...remembering({ unhealthyPasses: 1 }) }), missing],
    ["an agent that is well now is not rescued", given({ schedule, agent: "running", ...ill }), missing],
    ["a stopped agent is an admin's will", given({ schedule, agent: "stopped", ...ill }), missing],
    ["an agent of which nothing is known is left alone", given({ schedule, agent: "unknown", ...ill }), missing],
    [
      "once per served version",
      given({ schedule, agent: "unhealthy", ...remembering({ unhealthyPasses: 2, rescuedFor: servedVersion }) }),
      missing,
    ],
    [
      "again for another served version",
      given({ schedule, agent: "unhealthy", ...remembering({ unhealthyPasses: 2, rescuedFor: installedVersion }) }),
      { kind: "move", why: "rescue" },
    ],
    [
      "a window that is closed allows none",
      given({ agent: "unhealthy", ...ill, ...windows([600, 4200]) }),
      stays("outside-window"),
    ],
  ]);
});

describe("where two gates would speak, the first one does", () => {
  const absent = { kind: "absent" } as const;
  const fault = { kind: "fault", fault: faultOf("channel-unreachable") } as const;
  const operator = { needsOperator: { at: now, why: "the rollback failed" } };
  const hold = { until: undefined, reason: undefined };
  const held = present({ isHeld: true });
  const critical = serves(servedVersion, "critical");
  const wrong = { kind: "wrong", why: "it is early" } as const;
  const olderRejected = { rejected: [rejectionOf({ served: version("15.4.4") })] };
  // Gates 2 and 3, and 3 and 4, never speak together: an answer is a fault, none, or a version.
  decides([
    ["1 before 2: absent, and no answer", given({ installed: absent, answer: fault }), { fault: { code: "package-absent" } }],
    [
      "1 before 2: unreadable, and no answer",
      given({ installed: unreadable, answer: fault }),
      { fault: { code: "package-unreadable" } },
    ],
    [
      "1 before 3: absent, and none served",
      given({ installed: absent, answer: serves("none") }),
      { fault: { code: "package-absent" } },
    ],
    [
      "2 before 5: no answer, and a person needed",
      given({ answer: fault, ...remembering(operator) }),
      { kind: "stop", fault: fault.fault },
    ],
    [
      "3 before 5: none served, and a person needed",
      given({ answer: serves("none"), ...remembering(operator) }),
      stays("no-version"),
    ],
    [
      "4 before 5: current, and a person needed",
      given({ answer: serves(installedVersion), ...remembering(operator) }),
      stays("current"),
    ],
    ["4 before 6: current, and a hold", given({ answer: serves(installedVersion) }, { hold }), stays("current")],
    ["5 before 6: a person needed, and a hold", given(remembering(operator), { hold }), stays("needs-operator")],
    ["6 before 7: a hold, and the manager's hold", given({ installed: held }, { hold }), stays("held")],
    [
      "7 before 8: the manager's hold, and a failed version",
      given({ installed: held, ...remembering({ rejected: [rejectionOf()] }) }),
      stays("package-held"),
    ],
    [
      "8 before 9: a failed version, and a backoff",
      given(remembering({ rejected: [rejectionOf()], backoff: backoffOf() })),
      stays("rejected"),
    ],
    ["8 before 10: a failed version that is older", given({ answer: older, ...remembering(olderRejected) }), stays("rejected")],
    [
      "9 before 10: a backoff from a version that is older",
      given({ answer: older, ...remembering({ backoff: backoffOf({ served: version("15.4.4") }) }) }),
      stays("backing-off"),
    ],
    ["10 before 11: an older version, and asked", given({ answer: older }, { asked }), stays("downgrade-refused")],
    ["11 before 12: asked, and nop", given({ schedule: { kind: "never" } }, { asked }), { why: "asked" }],
    ["11 before 13: asked, and critical", given({ answer: critical }, { asked }), { why: "asked" }],
    ["12 before 13: nop, and critical", given({ schedule: { kind: "never" }, answer: critical }), stays("never")],
    ["13 before 14: critical, and a wrong clock", given({ answer: critical, clock: wrong }), { why: "critical" }],
    ["13 before 15: critical, and a blackout", given({ answer: critical }, { blackouts: [blackout] }), { why: "critical" }],
    ["14 before 15: a wrong clock, and a blackout", given({ clock: wrong }, { blackouts: [blackout] }), stays("clock")],
    ["14 before 16: a wrong clock, and an open window", given({ clock: wrong }), stays("clock")],
    ["15 before 16: a blackout, and an open window", given({}, { blackouts: [blackout] }), stays("blackout")],
    [
      "15 before 17: a blackout, and no schedule at any time",
      given({ schedule: { kind: "missing" } }, { blackouts: [blackout], unscheduled: "anytime" }),
      stays("blackout"),
    ],
    [
      "16 before 17: a local window that is closed, and no schedule at any time",
      given(
        { schedule: { kind: "missing" } },
        { window: { hourly: [{ utcStartHour: 3, weekdays: [] }], spans: [] }, unscheduled: "anytime" },
      ),
      stays("outside-window"),
    ],
  ]);

  test.each(["downgrade-refused", "major-refused"])(
    "two directions cannot be refused at once, but each by its own policy: %s",
    (why) => {
      const answer = why === "major-refused" ? serves(version("17.0.0")) : older;
      expect(decided(given({ answer }, { major: "one-step", downgrade: "refuse" }))).toMatchObject({ kind: "stay", why });
    },
  );
});

test("what stays names no package, though a repair is what waits", () => {
  const waits = given({
    binary: { kind: "missing" },
    schedule: { kind: "windows", windows: [{ start: now + 600, stop: now + 4200 }] },
  });
  expect(decided(waits)).toMatchObject(stays("outside-window"));
  expect(decided(waits)).not.toHaveProperty("exactly");
});
