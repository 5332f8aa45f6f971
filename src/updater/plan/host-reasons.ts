import type { MoveRow, StayRow } from "../../rules/decide/reason-row.ts";

const stayRows = {
  "no-version": {
    gate: 3,
    meaning: "the channel serves no version at present",
    ends: "the cluster serves a version",
    concerns: "nobody",
  },
  unconfirmed: {
    gate: 3,
    meaning:
      "the proxy that answered has not heard from the cluster's auth service for a while (`rollout_answer_life`), so its answer may be outdated",
    ends: "the cluster's proxies hear from its auth service again",
    concerns: "somebody",
  },
  current: {
    gate: 4,
    meaning: "the served version is installed",
    ends: "the cluster serves another version",
    concerns: "nobody",
  },
  pinned: {
    gate: 4,
    meaning: "an administrator pinned the agent to the installed version, whatever the channel serves",
    ends: "`svc-upgrade unpin`, or a pin on another version",
    concerns: "nobody",
  },
  "needs-operator": {
    gate: 5,
    meaning: "an earlier failure that trying again would not fix, or the record of what failed here is lost",
    ends: "look at `svc-upgrade status`, fix it, then `svc-upgrade retry`",
    concerns: "somebody",
  },
  held: {
    gate: 6,
    meaning: "an administrator put upgrades on hold",
    ends: "its end, or `svc-upgrade unhold`",
    concerns: "nobody",
  },
  "package-held": {
    gate: 7,
    meaning: "the package manager holds the package at its version",
    ends: "`apt-mark unhold PACKAGE`, `dnf versionlock delete PACKAGE` or `zypper removelock PACKAGE`, or the setting `holds: override`",
    concerns: "nobody",
  },
  rejected: {
    gate: 8,
    meaning: "this version failed on this host, or an administrator went back from it",
    ends: "a newer version that is served and does well here, another package of this version, or `svc-upgrade retry`",
    concerns: "somebody",
  },
  "backing-off": {
    gate: 9,
    meaning: "waiting after a failure that was not the version's own: 10 minutes, doubled each time up to 6 hours",
    ends: "by itself; at once with `svc-upgrade run --now`",
    concerns: "nobody",
  },
  "downgrade-refused": {
    gate: 10,
    meaning: "the channel serves an older version than the installed one",
    ends: "the setting `downgrade: allow`, or a newer version served",
    concerns: "nobody",
  },
  "major-refused": {
    gate: 10,
    meaning: "the served version is more than one major version ahead, and `major: one-step` is set",
    ends: "an upgrade to the next major version by hand, or the setting `major: any`",
    concerns: "nobody",
  },
  alternating: {
    gate: 10,
    meaning: "the channel serves two versions in turn, and `downgrade: allow` would move the agent to and fro",
    ends: "by itself, once the served version has been the only one for 6 hours; sooner with `svc-upgrade retry`, or `svc-upgrade rollback` to the version that was left",
    concerns: "somebody",
  },
  never: {
    gate: 12,
    meaning: "the schedule says `nop`",
    ends: "the agent exports another schedule; at once with `svc-upgrade run --now`",
    concerns: "nobody",
  },
  clock: {
    gate: 14,
    meaning: "the clock is plainly wrong, so no window can be trusted",
    ends: "set the clock: `svc-upgrade doctor` says how on this host",
    concerns: "somebody",
  },
  blackout: {
    gate: 15,
    meaning: "a blackout of the settings lasts",
    ends: "its end; at once with `svc-upgrade run --now`",
    concerns: "nobody",
  },
  "window-too-short": {
    gate: 16,
    meaning: "the window is open, but closes before a pass could end",
    ends: "the next window; at once with `svc-upgrade run --now`",
    concerns: "nobody",
  },
  "outside-window": {
    gate: 16,
    meaning: "the maintenance window is closed",
    ends: "the next window; at once with `svc-upgrade run --now`",
    concerns: "nobody",
  },
  "schedule-missing": {
    gate: 17,
    meaning: "there is no schedule file and no window in the settings",
    ends: "the agent exports a schedule, or set `window`; see `svc-upgrade schedule`",
    concerns: "somebody",
  },
  "schedule-empty": {
    gate: 17,
    meaning: "the schedule file holds neither a window nor `nop`",
    ends: "the agent exports a schedule, or set `window`; see `svc-upgrade schedule`",
    concerns: "somebody",
  },
  "schedule-invalid": {
    gate: 17,
    meaning: "a line of the schedule file is wrong, so nothing of it is used",
    ends: "the agent exports a schedule, or set `window`; `svc-upgrade schedule` shows the line",
    concerns: "somebody",
  },
  "schedule-stale": {
    gate: 17,
    meaning: "all windows of the schedule file have passed: the agent has stopped exporting it",
    ends: "the agent exports again (is it running?), or set `window`; see `svc-upgrade schedule`",
    concerns: "somebody",
  },
} satisfies Readonly<Record<string, StayRow>>;
export const stayReasons: Readonly<Record<keyof typeof stayRows, StayRow>> = stayRows;

const moveRows = {
  rollback: { gate: 0, meaning: "`svc-upgrade rollback` asked for the version that the last move left" },
  asked: { gate: 11, meaning: "`svc-upgrade run --now` asked for it" },
  critical: { gate: 13, meaning: "the cluster says that the update is critical" },
  window: { gate: 16, meaning: "the maintenance window is open, with enough of it left" },
  rescue: { gate: 17, meaning: "there is no valid schedule, but the agent is unhealthy and the served version may fix it" },
  anytime: { gate: 17, meaning: "there is no valid schedule, and `unscheduled: anytime` is set" },
} satisfies Readonly<Record<string, MoveRow>>;
export const moveReasons: Readonly<Record<keyof typeof moveRows, MoveRow>> = moveRows;
