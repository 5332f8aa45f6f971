import { servedBefore } from "../../rules/channel/given.ts";
import type { MoveReason, StayReason } from "../../../src/updater/plan/host-decision.ts";
import type { Facts } from "../../../src/updater/plan/host-facts.ts";
import type { Policy } from "../../../src/updater/plan/host-policy.ts";
import {
  backoffOf,
  now,
  present,
  previousOf,
  rejectionOf,
  remembering,
  serves,
  servesUnconfirmed,
  windowStop,
} from "../plan/given.ts";
import { version } from "../../rules/version/given.ts";

export type Case = readonly [facts: Partial<Facts>, policy: Partial<Policy>, told: string];

/** Every reason to stay: the line in the journal, level first, fields last; and what the screen of `status` begins with. */
export const stays: Readonly<Record<StayReason, readonly [...row: Case, lead: string]>> = {
  "no-version": [
    { answer: serves("none") },
    {},
    "info: no upgrades available (15.4.5, channel serves none) channel=default why=no-version",
    "Nothing to do",
  ],
  unconfirmed: [
    { answer: servesUnconfirmed(version("15.4.6")) },
    {},
    "warning: an upgrade is available (15.4.5 -> 15.4.6), not now: the proxy that answered has not heard from the cluster's auth service for a while, so what it serves may be outdated; lifted by: the cluster's proxies hear from its auth service again channel=default why=unconfirmed",
    "Not now",
  ],
  current: [
    { answer: serves(version("15.4.5")) },
    {},
    "info: no upgrades available (15.4.5 == 15.4.5) channel=default",
    "Up to date",
  ],
  pinned: [
    {},
    { pin: { version: version("15.4.5"), reason: "an audit" } },
    "info: an upgrade is available (15.4.5 -> 15.4.6); pinned to 15.4.5: an audit; the channel serves 15.4.6; lifted by: svc-upgrade unpin channel=default why=pinned",
    "Pinned",
  ],
  "needs-operator": [
    remembering({ needsOperator: { at: now, why: "the rollback failed" } }),
    {},
    "warning: an upgrade is available (15.4.5 -> 15.4.6), not now: the rollback failed; lifted by: svc-upgrade retry channel=default why=needs-operator",
    "Needs a person",
  ],
  held: [
    {},
    { hold: { until: now + 3600, reason: "a fair" } },
    "info: an upgrade is available (15.4.5 -> 15.4.6), not now: upgrades are on hold until 2026-11-20T03:10:00Z: a fair channel=default why=held until=2026-11-20T03:10:00Z",
    "On hold",
  ],
  "package-held": [
    { installed: present({ isHeld: true }) },
    {},
    "info: an upgrade is available (15.4.5 -> 15.4.6), not now: the package manager holds the package at its version; lifted by: release the package's hold in the package manager, or set `holds: override` channel=default why=package-held",
    "On hold",
  ],
  rejected: [
    remembering({ rejected: [rejectionOf()] }),
    {},
    "warning: an upgrade is available (15.4.5 -> 15.4.6), not now: 15.4.6-1 was rejected here on 2026-11-19T02:10:00Z: the agent did not come up; lifted by: a newer version is served and does well here, another package of this version is offered, or `svc-upgrade retry` channel=default why=rejected",
    "Not this version",
  ],
  "backing-off": [
    remembering({ backoff: backoffOf({ failures: 2 }) }),
    {},
    "info: an upgrade is available (15.4.5 -> 15.4.6), not now: waiting until 2026-11-20T02:20:00Z after 2 failures: not-offered happened channel=default why=backing-off until=2026-11-20T02:20:00Z",
    "Not now",
  ],
  "downgrade-refused": [
    { answer: serves(version("15.4.4")) },
    {},
    "info: no upgrades available (15.4.5 > 15.4.4): the channel serves 15.4.4, older than the installed 15.4.5; lifted by: set `downgrade: allow` channel=default why=downgrade-refused",
    "Not by itself",
  ],
  "major-refused": [
    { answer: serves(version("17.0.0")) },
    { major: "one-step" },
    "info: an upgrade is available (15.4.5 -> 17.0.0), not now: 15.4.5 to 17.0.0 is more than one major version; lifted by: upgrade to the next major version by hand, or set `major: any` channel=default why=major-refused",
    "Not by itself",
  ],
  alternating: [
    remembering({ heard: servedBefore(now + 600, ["15.4.6", "15.4.5", "15.4.6"]) }),
    { downgrade: "allow" },
    "warning: an upgrade is available (15.4.5 -> 15.4.6), not now: the channel serves 15.4.6 and 15.4.5 in turn; the agent moves once 15.4.6 has been the only one until 2026-11-20T08:10:00Z channel=default why=alternating until=2026-11-20T08:10:00Z",
    "Not now",
  ],
  never: [
    { schedule: { kind: "never" } },
    {},
    "info: an upgrade is available (15.4.5 -> 15.4.6), not now: the schedule says never; lifted by: the agent exports another schedule, or `svc-upgrade run --now` channel=default why=never",
    "Not by itself",
  ],
  clock: [
    { clock: { kind: "wrong", why: "it is before the day this program was built" } },
    {},
    "warning: an upgrade is available (15.4.5 -> 15.4.6), not now: the clock says 2026-11-20T02:10:00Z and is wrong: it is before the day this program was built; lifted by: set the clock: `svc-upgrade doctor` says how on this host channel=default why=clock",
    "Not now",
  ],
  blackout: [
    {},
    { blackouts: [{ from: now - 60, to: now + 7200, reason: "a freeze" }] },
    "info: an upgrade is available (15.4.5 -> 15.4.6), not now: a blackout lasts until 2026-11-20T04:10:00Z: a freeze channel=default why=blackout until=2026-11-20T04:10:00Z",
    "Not now",
  ],
  "window-too-short": [
    { now: windowStop - 300 },
    {},
    "info: an upgrade is available (15.4.5 -> 15.4.6), not now: the maintenance window closes at 2026-11-20T03:00:00Z, and a pass may need 10 minutes channel=default why=window-too-short until=2026-11-27T02:00:00Z",
    "Not now",
  ],
  "outside-window": [
    { now: windowStop },
    {},
    "info: an upgrade is available (15.4.5 -> 15.4.6), not now: outside the maintenance window, the next one opens at 2026-11-27T02:00:00Z channel=default why=outside-window until=2026-11-27T02:00:00Z",
    "Not now",
  ],
  "schedule-missing": [
    { schedule: { kind: "missing" } },
    {},
    "warning: an upgrade is available (15.4.5 -> 15.4.6), not now: no valid schedule: the file is missing; lifted by: the agent exports a schedule, or set a window, or `svc-upgrade run --now` channel=default why=schedule-missing",
    "Not now",
  ],
  "schedule-empty": [
    { schedule: { kind: "empty" } },
    {},
    "warning: an upgrade is available (15.4.5 -> 15.4.6), not now: no valid schedule: the file is empty; lifted by: the agent exports a schedule, or set a window, or `svc-upgrade run --now` channel=default why=schedule-empty",
    "Not now",
  ],
  "schedule-invalid": [
    { schedule: { kind: "invalid", line: 3, text: "oops", why: "expected START STOP" } },
    {},
    'warning: an upgrade is available (15.4.5 -> 15.4.6), not now: no valid schedule: line 3 reads "oops": expected START STOP; lifted by: the agent exports a schedule, or set a window, or `svc-upgrade run --now` channel=default why=schedule-invalid',
    "Not now",
  ],
  "schedule-stale": [
    { schedule: { kind: "stale", endedAt: now - 5000 } },
    {},
    "warning: an upgrade is available (15.4.5 -> 15.4.6), not now: no valid schedule: its last window ended at 2026-11-20T00:46:40Z; lifted by: the agent exports a schedule, or set a window, or `svc-upgrade run --now` channel=default why=schedule-stale",
    "Not now",
  ],
};

const unwell = { agent: "unhealthy", ...remembering({ unhealthyPasses: 2 }) } as const;

/** Every reason to move. */
export const moves: Readonly<Record<MoveReason, Case>> = {
  asked: [
    {},
    { asked: { when: "now", absent: "stop" } },
    "notice: an upgrade is available (15.4.5 -> 15.4.6), upgrading now: it was asked for channel=default why=asked",
  ],
  rollback: [
    { answer: { kind: "not-asked" }, ...remembering({ previous: previousOf() }) },
    { asked: { when: "back", absent: "stop" } },
    "notice: downgrading now: a rollback was asked for channel=default why=rollback",
  ],
  critical: [
    { answer: serves(version("15.4.6"), "critical"), now: windowStop },
    {},
    "notice: an upgrade is available (15.4.5 -> 15.4.6), upgrading now: the update is critical channel=default why=critical",
  ],
  window: [
    {},
    {},
    "notice: an upgrade is available (15.4.5 -> 15.4.6), upgrading now: the maintenance window is open until 2026-11-20T03:00:00Z channel=default why=window",
  ],
  rescue: [
    { schedule: { kind: "missing" }, ...unwell },
    {},
    "notice: an upgrade is available (15.4.5 -> 15.4.6), upgrading now: no valid schedule: the file is missing, but the agent is unhealthy, and the served version may fix it channel=default why=rescue",
  ],
  anytime: [
    { schedule: { kind: "empty" } },
    { unscheduled: "anytime" },
    "notice: an upgrade is available (15.4.5 -> 15.4.6), upgrading now: no valid schedule: the file is empty, and unscheduled: anytime allows it channel=default why=anytime",
  ],
};
