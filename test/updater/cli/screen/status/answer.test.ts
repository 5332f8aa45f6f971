import { describe, expect, test } from "vitest";
import type { StayReason } from "../../../../../src/updater/plan/host-decision.ts";
import { paintFor } from "../../../../../src/updater/cli/screen/paint.ts";
import { renderStatus } from "../../../../../src/updater/cli/screen/status.ts";
import { backoffOf, faultOf, given, now, present, rejectionOf, serves, windowStop } from "../../../plan/given.ts";
import { passOf, stepInHand, unitsAt, viewGiven, type Host } from "../../../status/given.ts";
import { version } from "../../../../rules/version/given.ts";
import { stays } from "../../../sentences/reasons.ts";
import { plain, screen } from "./given.ts";

/** What stands before the first empty line. */
function answer(host: Host): string {
  return screen(host).split("\n\n")[0] ?? "";
}

type Case = readonly [host: Host, told: string];

/** What the host itself adds to the sentence, and by which labels it goes on; the sentences are in `test/updater/sentences/reasons.ts`. */
const asked: Readonly<Record<string, Case>> = {
  "nothing to wait for": [
    { facts: { answer: serves("none") } },
    `Nothing to do: svc-ent 15.4.5 is installed; the channel served no version (4
minutes ago).`,
  ],
  "a stay that somebody ends": [
    { state: { rejected: [rejectionOf()] } },
    `Not this version: svc-ent 15.4.5 is installed; the channel served 15.4.6 (4
minutes ago).
why         15.4.6-1 was rejected here on Thu 2026-11-19 03:10 GMT+1 (1 day
            ago): the agent did not come up
lifted by   a newer version is served and does well here, another package of
            this version is offered, or \`sudo svc-upgrade retry\``,
  ],
  "a stay that time ends, after a failure": [
    { state: { backoff: backoffOf({ failures: 2 }) } },
    `Not now: svc-ent 15.4.5 is installed; the channel served 15.4.6 (4 minutes ago).
why         waiting until Fri 2026-11-20 03:20 GMT+1 (in 10 minutes) after 2
            failures: not-offered happened
to do       svc-upgrade doctor
sooner      sudo svc-upgrade run --now`,
  ],
  "a stay whose sentence does not say until when": [
    { facts: { now: windowStop - 300 } },
    `Not now: svc-ent 15.4.5 is installed; the channel served 15.4.6 (4 minutes ago).
why         the maintenance window closes at Fri 2026-11-20 04:00 GMT+1 (in 5
            minutes), and a pass may need 10 minutes
until       Fri 2026-11-27 03:00 GMT+1 (in 6 days)
sooner      sudo svc-upgrade run --now`,
  ],
  "a move": [
    {},
    `An upgrade is due: svc-ent 15.4.5 is installed; the channel served 15.4.6 (4
minutes ago).
when        Fri 2026-11-20 03:16 GMT+1 (in 6 minutes)
why         the maintenance window is open until Fri 2026-11-20 04:00 GMT+1 (in
            50 minutes)
sooner      sudo svc-upgrade run --now`,
  ],
};

const unreachable = {
  code: "channel-unreachable",
  message: "https://proxy.example.com/v1/webapi/automaticupgrades/channel/default/version cannot be reached directly",
  hint: "check the name with `getent ahosts proxy.example.com`",
  causes: ["connect ETIMEDOUT"],
} as const;
const unanswered = passOf({
  served: undefined,
  decision: { kind: "stop", fault: unreachable },
  outcome: { kind: "stopped", fault: unreachable },
});
const bug = faultOf("bug");
const brokenOff = passOf({
  channel: undefined,
  decision: { kind: "stop", fault: bug },
  outcome: { kind: "stopped", fault: bug },
});
const wrong = {
  code: "settings-invalid",
  message: "2 settings are wrong:\n/etc/svc-upgrade/a.yaml: chanel: unknown key\n/etc/svc-upgrade/b.yaml: major: 3",
  hint: "correct that, then see what holds with: svc-upgrade config",
  causes: [],
} as const;
const standings: Readonly<Record<string, Case>> = {
  "a pass that is running": [
    { state: { step: stepInHand() }, seen: { running: { by: "unit" } } },
    `A pass is running: svc-ent 15.4.5 is installed; the channel served 15.4.6 (4
minutes ago).
doing       installing 15.4.6, since Fri 2026-11-20 03:09 GMT+1 (just now)
follow it   journalctl -fu svc-upgrade`,
  ],
  "a pass of another process": [
    { seen: { running: { by: "process", pid: 4711 }, root: "/srv/image", units: { kind: "another-root" } } },
    `A pass is running: svc-ent 15.4.5 is installed; the channel served 15.4.6 (4
minutes ago).
process     4711`,
  ],
  "settings that are wrong": [
    {
      state: { passes: [passOf()] },
      seen: { settings: undefined, installed: undefined, route: undefined, basis: { kind: "fault", fault: wrong } },
    },
    `No pass can do anything: the agent 15.4.5 was installed at the last pass; the
channel served 15.4.6 (4 minutes ago).
why         2 settings are wrong:
            /etc/svc-upgrade/a.yaml: chanel: unknown key
            /etc/svc-upgrade/b.yaml: major: 3
to do       correct that, then see what holds with: svc-upgrade config`,
  ],
  "a timer that is off": [
    { seen: { units: unitsAt(now, { timer: { isEnabled: false, isActive: false } }) } },
    `No pass comes by itself: svc-ent 15.4.5 is installed; the channel served 15.4.6
(4 minutes ago).
why         svc-upgrade.timer is disabled
to do       sudo systemctl enable --now svc-upgrade.timer`,
  ],
  "a server that does not answer": [
    { state: { silentSince: now - 64_800, passes: [unanswered] } },
    `No answer from the version server: svc-ent 15.4.5 is installed; the channel
served 15.4.6 (4 minutes ago).
since       Thu 2026-11-19 09:10 GMT+1 (18 hours ago)
why         https://proxy.example.com/v1/webapi/automaticupgrades/channel/default/version
            cannot be reached directly
cause       connect ETIMEDOUT
to do       check the name with \`getent ahosts proxy.example.com\`
next try    Fri 2026-11-20 03:16 GMT+1 (in 6 minutes)`,
  ],
  "a pass that broke off": [
    { state: { passes: [brokenOff] } },
    `The last pass broke off: svc-ent 15.4.5 is installed; the channel served 15.4.6
(4 minutes ago).
when        Fri 2026-11-20 03:06 GMT+1 (4 minutes ago)
why         bug happened
to do       svc-upgrade doctor
next try    Fri 2026-11-20 03:16 GMT+1 (in 6 minutes)`,
  ],
  "a channel that was never asked": [
    { state: { lastContact: undefined }, seen: { basis: { kind: "unasked", facts: given().facts, asked: undefined } } },
    `Not known yet: svc-ent 15.4.5 is installed; the channel has given no answer yet.
why         no pass has asked the channel default yet, or none with an answer
next pass   Fri 2026-11-20 03:16 GMT+1 (in 6 minutes)
to see      svc-upgrade dry-run`,
  ],
  "a state that may not be read": [
    { seen: { state: { kind: "denied" } } },
    `Not known yet: svc-ent 15.4.5 is installed; what the channel served is not
known.
why         what earlier passes left may not be read by this user
next pass   Fri 2026-11-20 03:16 GMT+1 (in 6 minutes)
to see      sudo svc-upgrade status`,
  ],
  "a package that is not installed": [
    { facts: { installed: { kind: "absent" } } },
    `No pass can do anything: svc-ent is not installed; the channel served 15.4.6 (4
minutes ago).
why         the agent's package is not installed
to do       install the agent, or let this do it: \`sudo svc-upgrade run --now
            --install\``,
  ],
  "damage that waits": [
    { facts: { binary: { kind: "missing" }, now: windowStop } },
    `Not now: svc-ent 15.4.5 is installed; the channel served 15.4.6 (4 minutes ago).
broken      the agent's binary is missing
why         outside the maintenance window, the next one opens at Fri 2026-11-27
            03:00 GMT+1 (in 6 days)
sooner      sudo svc-upgrade run --now`,
  ],
  "an agent that is ill at the version served": [
    { facts: { answer: serves(version("15.4.5")), agent: "unhealthy" } },
    `Up to date, and not well: svc-ent 15.4.5 is installed; the channel served 15.4.5
(4 minutes ago).
to see      journalctl -u svc.service`,
  ],
  "a pinned version that is not there yet": [
    { settings: { pin: { version: "15.4.7" } } },
    `An upgrade is due: svc-ent 15.4.5 is installed; 15.4.7 is pinned; the channel
served 15.4.6 (4 minutes ago).
when        Fri 2026-11-20 03:16 GMT+1 (in 6 minutes)
why         15.4.7 is pinned; the maintenance window is open until Fri
            2026-11-20 04:00 GMT+1 (in 50 minutes)
sooner      sudo svc-upgrade run --now`,
  ],
  "an agent that is ill at the version pinned": [
    { facts: { agent: "unhealthy" }, settings: { pin: { version: "15.4.5" } } },
    `Pinned, and not well: svc-ent 15.4.5 is installed and pinned; the channel served
15.4.6 (4 minutes ago).
why         pinned to 15.4.5; the channel serves 15.4.6
lifted by   sudo svc-upgrade unpin
to see      journalctl -u svc.service`,
  ],
  "a move that was not taken back": [
    {
      facts: { answer: serves(version("15.4.5")) },
      state: {
        passes: [
          passOf({
            outcome: {
              kind: "failed",
              step: "health",
              fault: faultOf("unhealthy"),
              evidence: [],
              back: { kind: "not-tried", why: "the agent was unhealthy before the move either" },
            },
          }),
        ],
      },
    },
    `Up to date, and not well: svc-ent 15.4.5 is installed; the channel served 15.4.5
(4 minutes ago).
to see      journalctl -u svc.service`,
  ],
  "damage that is mended next": [
    { facts: { installed: present({ condition: "half-way" }) } },
    `A repair is due: svc-ent 15.4.5 is only half installed; the channel served
15.4.6 (4 minutes ago).
broken      the package is only half installed
when        Fri 2026-11-20 03:16 GMT+1 (in 6 minutes)
why         the maintenance window is open until Fri 2026-11-20 04:00 GMT+1 (in
            50 minutes)
sooner      sudo svc-upgrade run --now`,
  ],
};

describe("the answer of a status", () => {
  test.each(Object.entries(stays))("begins with how it stands: %s", (why, [, , , lead]) => {
    const next = { kind: "stay", why: why as StayReason, told: "so it is" } as const;
    const told = renderStatus({ ...viewGiven(), standing: { kind: "next", next } }, { zone: "UTC", paint: plain });
    expect(told.split(":")[0]).toBe(lead);
  });
  test.each(Object.entries(asked))("of %s", (_title, [host, told]) => expect(answer(host)).toBe(told));
  test.each(Object.entries(standings))("of %s", (_title, [host, told]) => expect(answer(host)).toBe(told));
});

test("colour marks how it stands, and says nothing that the words do not", () => {
  const colours = paintFor("terminal", { environment: {} });
  for (const [host, tone] of [
    [{ facts: { answer: serves(version("15.4.5")) } }, colours.good],
    [{ state: { rejected: [rejectionOf()] } }, colours.caution],
    [{ seen: { units: unitsAt(now, { timer: { isActive: false } }) } }, colours.bad],
  ] as const) {
    const painted = renderStatus(viewGiven(host), { zone: "Europe/Berlin", paint: colours });
    const lead = answer(host).split(":")[0] ?? "";
    expect(painted).toContain(tone(lead));
    // oxlint-disable-next-line no-control-regex -- these are what is to be taken away
    expect(painted.replaceAll(/\u001B\[\d+m/g, "")).toBe(screen(host));
  }
});
