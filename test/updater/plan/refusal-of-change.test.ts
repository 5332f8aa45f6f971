import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MoveReason } from "../../../src/updater/plan/host-decision.ts";
import { refusalOf, type FirstChange } from "../../../src/updater/plan/refusal-of-change.ts";
import { policyOf, type Asked, type Policy } from "../../../src/updater/plan/host-policy.ts";
import { moveReasons } from "../../../src/updater/plan/host-reasons.ts";
import { installed, now, openSchedule, packageVersion, settings } from "../pass/given.ts";

const timer: Asked = { when: "timer", absent: "stop" };
const closed = { kind: "windows", windows: [{ start: now + 3600, stop: now + 7200 }] } as const;

type Case = {
  readonly change?: Partial<FirstChange>;
  readonly settings?: object;
  readonly asked?: Asked;
  /** What a local window comes to, from now. */
  readonly spans?: readonly [start: number, stop: number];
};

function refusal({ change = {}, settings: values = {}, asked = timer, spans }: Case): string | undefined {
  const first: FirstChange = {
    to: packageVersion("15.4.6"),
    why: "window",
    installed: installed("15.4.5"),
    schedule: openSchedule,
    now,
    previous: undefined,
    ...change,
  };
  const policy = policyOf(settings(values), asked);
  if (spans === undefined) return refusalOf(first, policy);
  const window = { hourly: [], spans: [{ start: now + spans[0], stop: now + spans[1] }] };
  return refusalOf(first, { ...policy, window });
}

describe("the first change of a move, as the acting side judges it", () => {
  test.each<[string, Case]>([
    ["in the window", {}],
    ["of a critical update, outside of it", { change: { why: "critical", schedule: closed } }],
    ["of a host without schedule whose agent is ill", { change: { why: "rescue", schedule: { kind: "missing" } } }],
    [
      "of a host without schedule that may be moved at any time",
      { change: { why: "anytime", schedule: { kind: "missing" } }, settings: { unscheduled: "anytime" } },
    ],
    ["that root asked for, outside the window", { change: { why: "asked", schedule: closed }, asked: { ...timer, when: "now" } }],
    [
      "in a local window of root's settings, whatever the schedule file says",
      { change: { schedule: closed }, spans: [-60, 3600] },
    ],
    ["that puts back what is installed", { change: { to: packageVersion("15.4.5") } }],
    [
      "of a half-installed package that wraps no version",
      {
        change: { installed: { ...installed("15.4.5"), version: undefined, condition: "half-way" } as FirstChange["installed"] },
      },
    ],
    [
      "to an older version, where that is allowed",
      { change: { to: packageVersion("15.4.4") }, settings: { downgrade: "allow" } },
    ],
    [
      "back to what the last move came from, by whatever package of that version",
      {
        change: { to: packageVersion("15.4.4"), why: "rollback", previous: packageVersion("15.4.4"), schedule: closed },
        asked: { ...timer, when: "back" },
      },
    ],
    [
      "that puts back what is installed, whatever is pinned",
      { change: { to: packageVersion("15.4.5-2") }, settings: { pin: { version: "15.4.7" } } },
    ],
    ["that installs what is absent", { change: { installed: { kind: "absent" } }, asked: { ...timer, absent: "install" } }],
  ])("%s may begin", (_what, given) => {
    expect(refusal(given)).toBeUndefined();
  });

  test.each<[string, Case, RegExp]>([
    [
      "that puts back what is installed, and is called critical outside of the window",
      { change: { to: packageVersion("15.4.5"), why: "critical", schedule: closed } },
      /^outside/,
    ],
    ["outside the window", { change: { schedule: closed } }, /^outside the maintenance window/],
    [
      "in a local window that closes too soon",
      { spans: [-3600, 599] },
      /^the maintenance window closes at .* may need 10 minutes$/,
    ],
    ["that is said to be asked for by root, who did not", { change: { why: "asked", schedule: closed } }, /^outside/],
    ["to an older version", { change: { to: packageVersion("15.4.4") } }, /older than the installed 15.4.5$/],
    ["while upgrades are on hold", { settings: { hold: { reason: "freeze" } } }, /^upgrades are on hold: freeze$/],
    [
      "of a package that the package manager holds",
      { change: { installed: { ...installed("15.4.5"), isHeld: true } as FirstChange["installed"] } },
      /^the package manager holds/,
    ],
    ["to another version than the pinned one", { settings: { pin: { version: "15.4.5" } } }, /^15.4.5 is pinned$/],
    [
      "that puts another version than the pinned one in place of what holds none",
      {
        change: { installed: { ...installed("15.4.5"), version: undefined, condition: "half-way" } as FirstChange["installed"] },
        settings: { pin: { version: "15.4.7" } },
      },
      /^15.4.7 is pinned$/,
    ],
    [
      "to the pinned version outside the window, whatever is called critical",
      { change: { why: "critical", schedule: closed }, settings: { pin: { version: "15.4.6" } } },
      /^outside/,
    ],
    ["to what is no version", { change: { to: packageVersion("15-1") } }, /^15-1 holds no semantic version$/],
    ["of what is absent", { change: { installed: { kind: "absent" } } }, /not installed, and nobody asked for that$/],
    [
      "back, where no move is known",
      { change: { to: packageVersion("15.4.4"), why: "rollback" }, asked: { ...timer, when: "back" } },
      /^no move is known/,
    ],
    [
      "back, where what the last move came from holds no version",
      {
        change: { to: packageVersion("15.4.4"), why: "rollback", previous: packageVersion("15-1") },
        asked: { ...timer, when: "back" },
      },
      /^the last move came from 15-1, not from 15.4.4$/,
    ],
    [
      "back to another version than the last move came from",
      {
        change: { to: packageVersion("15.4.3"), why: "rollback", previous: packageVersion("15.4.4") },
        asked: { ...timer, when: "back" },
      },
      /^the last move came from 15.4.4, not from 15.4.3$/,
    ],
  ])("%s may not", (_what, given, why) => {
    expect(refusal(given)).toMatch(why);
  });

  test("passes no hold and no downgrade for anything that is claimed", () => {
    const reasons = Object.keys(moveReasons) as MoveReason[];
    fc.assert(
      fc.property(fc.constantFrom(...reasons), fc.integer({ min: 0, max: 2 ** 33 }), (why, at) => {
        const held: Partial<Policy> = { hold: { until: undefined, reason: undefined } };
        const first = {
          to: packageVersion("15.4.6"),
          why,
          installed: installed("15.4.5"),
          schedule: openSchedule,
          now: at,
          previous: undefined,
        };
        const policy = { ...policyOf(settings(), timer), ...held };
        expect(refusalOf(first, policy)).toBeDefined();
        expect(refusalOf({ ...first, to: packageVersion("15.4.4") }, policyOf(settings(), timer))).toBeDefined();
      }),
    );
  });
});
