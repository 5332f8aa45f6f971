import { describe, expect, test } from "vitest";
import { targetOf, type Target } from "../../../src/updater/plan/target.ts";
import { packageVersion, version } from "../../rules/version/given.ts";
import {
  backoffOf,
  faultOf,
  given,
  installedVersion,
  now,
  present,
  remembering,
  servedVersion,
  serves,
  type Given,
} from "./given.ts";

const absent = { kind: "absent" } as const;
const halfWay = present({ condition: "half-way" });
const older = serves(version("15.4.4"));
const install = { when: "timer", absent: "install" } as const;

function upgrade(to: string): Target {
  return { kind: "upgrade", from: installedVersion, to: version(to) };
}

function repair(to: string, why: string): Target {
  return { kind: "repair", from: installedVersion, to: version(to), why };
}

test.each<[string, Given, Target]>([
  ["an absent package", given({ installed: absent }), { kind: "absent" }],
  ["an absent package to install", given({ installed: absent }, { asked: install }), { kind: "install", to: servedVersion }],
  [
    "an unreadable package",
    given({ installed: present({ version: undefined }) }),
    { kind: "unreadable", packageVersion: packageVersion("15.4.5-1") },
  ],
  [
    "no answer",
    given({ answer: { kind: "fault", fault: faultOf("channel-failing") } }),
    { kind: "unanswered", fault: faultOf("channel-failing") },
  ],
  ["none served", given({ answer: serves("none") }), { kind: "no-version" }],
  ["the installed version", given({ answer: serves(installedVersion) }), { kind: "current", version: installedVersion }],
  ["a newer version", given(), upgrade("15.4.6")],
  ["an older version", given({ answer: older }), { kind: "downgrade", from: installedVersion, to: version("15.4.4") }],
])("the target of %s", (_, { facts, policy }, target) => {
  expect(targetOf(facts, policy)).toEqual(target);
});

describe("a repair", () => {
  const current = serves(installedVersion);
  test.each<[string, Given, Target]>([
    [
      "mends a half installed package",
      given({ installed: halfWay, answer: current }),
      repair("15.4.5", "the package is only half installed"),
    ],
    [
      "mends a missing binary",
      given({ binary: { kind: "missing" }, answer: current }),
      repair("15.4.5", "the agent's binary is missing"),
    ],
    [
      "mends a binary that does not run",
      given({ binary: { kind: "broken", why: "exit status 127" }, answer: current }),
      repair("15.4.5", "the agent's binary does not run: exit status 127"),
    ],
    [
      "mends a binary of another version",
      given({ binary: { kind: "answers", version: servedVersion }, answer: current }),
      repair("15.4.5", "the agent's binary says it is 15.4.6, its package 15.4.5"),
    ],
    ["comes before an upgrade", given({ binary: { kind: "missing" } }), repair("15.4.5", "the agent's binary is missing")],
    [
      "needs no answer",
      given({ installed: halfWay, answer: { kind: "fault", fault: faultOf("channel-failing") } }),
      repair("15.4.5", "the package is only half installed"),
    ],
    [
      "of what cannot be read goes to the served version",
      given({ installed: present({ version: undefined, condition: "half-way" }), answer: older }),
      { kind: "repair", from: undefined, to: version("15.4.4"), why: "the package is only half installed" },
    ],
  ])("%s", (_, { facts, policy }, target) => {
    expect(targetOf(facts, policy)).toEqual(target);
  });

  const missing = { binary: { kind: "missing" } } as const;
  const again = repair("15.4.5", "the agent's binary is missing");
  const twice = remembering({ repairs: { to: installedVersion, attempts: 2, isNowhere: false } });
  const nowhere = { to: installedVersion, attempts: 0, isNowhere: true };
  const waiting = backoffOf({ served: installedVersion });
  test.each<[string, Given, Target]>([
    ["that did not help twice is replaced by the served version", given({ ...missing, ...twice }), upgrade("15.4.6")],
    [
      "that did not help twice is replaced by an older served version, as far as the gates allow it",
      given({ ...missing, ...twice, answer: older }),
      { kind: "downgrade", from: installedVersion, to: version("15.4.4") },
    ],
    ["that did not help twice stays one where nothing else is served", given({ ...missing, ...twice, answer: current }), again],
    [
      "that did not help once is tried again",
      given({ ...missing, ...remembering({ repairs: { to: installedVersion, attempts: 1, isNowhere: false } }) }),
      again,
    ],
    [
      "of another version says nothing of this one",
      given({ ...missing, ...remembering({ repairs: { to: servedVersion, attempts: 2, isNowhere: true }, backoff: waiting }) }),
      again,
    ],
    [
      "whose package is nowhere to be had is replaced by the served version",
      given({ ...missing, ...remembering({ repairs: nowhere, backoff: waiting }) }),
      upgrade("15.4.6"),
    ],
    [
      "whose package was nowhere to be had is tried again once the wait is over",
      given({ ...missing, ...remembering({ repairs: nowhere, backoff: { ...waiting, until: now } }) }),
      again,
    ],
    [
      "whose package was nowhere to be had is tried again where the wait is for another version",
      given({ ...missing, ...remembering({ repairs: nowhere, backoff: backoffOf() }) }),
      again,
    ],
  ])("%s", (_, { facts, policy }, target) => {
    expect(targetOf(facts, policy)).toEqual(target);
  });

  test("is not needed where the binary's build differs alone", () => {
    const { facts, policy } = given({ binary: { kind: "answers", version: version("15.4.5+ent") }, answer: current });
    expect(targetOf(facts, policy)).toEqual({ kind: "current", version: installedVersion });
  });
});
