import type { MoveRow, StayRow } from "../../rules/decide/reason-row.ts";

const stayRows = {
  suspended: {
    gate: 0,
    meaning: "the annotation `svc.dev/skipreconcile` is `true`",
    ends: "the annotation is removed",
    concerns: "nobody",
  },
  moving: {
    gate: 0,
    meaning: "a move is in hand: the image is changed, and the pods have to prove it",
    ends: "by itself",
    concerns: "nobody",
  },
  "going-back": {
    gate: 0,
    meaning: "a version failed here, and the image before it is put back",
    ends: "by itself",
    concerns: "somebody",
  },
  "still-unhealthy": {
    gate: 0,
    meaning: "a move is in hand and makes no progress, for a reason that is not its version's",
    ends: "the pods get ready",
    concerns: "somebody",
  },
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
    meaning: "the served version is in the object's template",
    ends: "the cluster serves another version",
    concerns: "nobody",
  },
  unhealthy: {
    gate: 4,
    meaning:
      "the version that it should have is there, and its pods have not been available, or not for long, for `deadlines.unhealthy` (ten minutes)",
    ends: "the pods get ready, or another version is served; the annotation `svc.dev/rollback`",
    concerns: "somebody",
  },
  pinned: {
    gate: 4,
    meaning: "the setting `pin` keeps the agent at its version, whatever the channel serves",
    ends: "the setting `pin` is removed, or names another version",
    concerns: "nobody",
  },
  gitops: {
    gate: 4,
    meaning: "a GitOps tool owns the object and would put its own image back, or a tool has put it back three times",
    ends: "the tool's own source names the version; or the setting `mode: update`; where it was put back, the annotation `svc.dev/retry`",
    concerns: "nobody",
  },
  "not-rolling": {
    gate: 4,
    meaning:
      "a new image would not be rolled out: the object is paused, is updated on deletion only, or keeps all pods by its partition",
    ends: "what the record names: `kubectl rollout resume`, another update strategy, or a lower partition",
    concerns: "somebody",
  },
  rolling: {
    gate: 4,
    meaning:
      "somebody else's rollout is under way, or a pod has not been ready for less than `deadlines.unhealthy` (ten minutes)",
    ends: "the rollout ends, or is taken back; the pods get ready, or the time is over",
    concerns: "nobody",
  },
  "needs-operator": {
    gate: 5,
    meaning:
      "the record of what happened here cannot be read, was wiped, or was written by a later release; or a version could not be taken back",
    ends: "the later release runs again, or the record is removed; the annotation `svc.dev/retry`",
    concerns: "somebody",
  },
  held: {
    gate: 6,
    meaning: "the setting `hold` keeps everything as it is",
    ends: "its end, or the setting `hold` is removed",
    concerns: "nobody",
  },
  "set-back": {
    gate: 6,
    meaning: "after a move a person has put an older image back",
    ends: "a newer version than the one that was left is served; the annotation `svc.dev/retry`",
    concerns: "somebody",
  },
  rejected: {
    gate: 8,
    meaning: "this version failed here or at another object of this updater, or was rolled back here by `svc.dev/rollback`",
    ends: "a newer version is served; the annotation `svc.dev/retry`, of the object that the record names",
    concerns: "somebody",
  },
  "backing-off": {
    gate: 9,
    meaning: "waiting after a failure that was not the version's own",
    ends: "by itself",
    concerns: "nobody",
  },
  "downgrade-refused": {
    gate: 10,
    meaning: "the channel serves an older version than the object's",
    ends: "the setting `downgrade: allow`, or a newer version served",
    concerns: "nobody",
  },
  "major-refused": {
    gate: 10,
    meaning: "the served version is more than one major version ahead, and `major: one-step` is set",
    ends: "the next major version set by hand, or the setting `major: any`",
    concerns: "nobody",
  },
  alternating: {
    gate: 10,
    meaning: "the channel serves two versions in turn, and `downgrade: allow` would move the agent to and fro",
    ends: "by itself, once the served version has been the only one for 6 hours",
    concerns: "somebody",
  },
  clock: {
    gate: 14,
    meaning: "the clock of the pod's node and the API server's differ, or the clock is plainly wrong: no window can be trusted",
    ends: "the clock is set",
    concerns: "somebody",
  },
  blackout: { gate: 15, meaning: "a blackout of the settings lasts", ends: "its end", concerns: "nobody" },
  "window-too-short": {
    gate: 16,
    meaning: "the window is open, but closes before a move could end",
    ends: "the next window",
    concerns: "nobody",
  },
  "outside-window": { gate: 16, meaning: "the maintenance window is closed", ends: "the next window", concerns: "nobody" },
  "schedule-missing": {
    gate: 17,
    meaning: "there is no schedule in the Secret and no window in the settings",
    ends: "the agent exports its schedule, or the setting `window`",
    concerns: "somebody",
  },
  "schedule-empty": {
    gate: 17,
    meaning: "the schedule in the Secret holds no window",
    ends: "the agent exports its schedule, or the setting `window`",
    concerns: "somebody",
  },
  "schedule-invalid": {
    gate: 17,
    meaning: "the schedule in the Secret cannot be read, so nothing of it is used",
    ends: "the agent exports its schedule, or the setting `window`",
    concerns: "somebody",
  },
  "schedule-stale": {
    gate: 17,
    meaning: "all windows of the schedule in the Secret have passed: the agent has stopped exporting it",
    ends: "the agent exports again, or the setting `window`",
    concerns: "somebody",
  },
  queued: {
    gate: 18,
    meaning: "another object of this updater takes the version first, or as many move as may move together",
    ends: "by itself, once it is proven there; for one object the annotation `svc.dev/run-now`",
    concerns: "nobody",
  },
  "not-offered": {
    gate: 18,
    meaning: "the registry does not have the image, or not for a platform of the image that runs",
    ends: "the image is pushed",
    concerns: "somebody",
  },
  "registry-busy": {
    gate: 18,
    meaning: "the registry answers that it has too much to do, or fails",
    ends: "by itself: it is asked again, and after five times counts as one that cannot tell",
    concerns: "nobody",
  },
  "not-looked-up": {
    gate: 18,
    meaning: "the registry does not tell whether it has the image, and `lookup: require` is set",
    ends: "the registry can be read; the setting `lookup: prefer`",
    concerns: "somebody",
  },
  "not-pinned": {
    gate: 18,
    meaning: "the registry does not tell the image's digest, and `pin: digest` is set",
    ends: "the registry can be read; the setting `pin: none`",
    concerns: "somebody",
  },
  "digest-mismatch": {
    gate: 18,
    meaning: "what the registry sends is not what the digest names",
    ends: "the image is pushed again; whatever stands before the registry is put right",
    concerns: "somebody",
  },
} satisfies Readonly<Record<string, StayRow>>;
export const stayReasons: Readonly<Record<keyof typeof stayRows, StayRow>> = stayRows;

const moveRows = {
  asked: { gate: 11, meaning: "a person asked for it" },
  critical: { gate: 13, meaning: "the cluster says that the update is critical" },
  window: { gate: 16, meaning: "the maintenance window is open, with enough of it left" },
  rescue: { gate: 17, meaning: "there is no valid schedule, but the agent is unhealthy and the served version may fix it" },
  anytime: { gate: 17, meaning: "there is no valid schedule, and `unscheduled: anytime` is set" },
} satisfies Readonly<Record<string, MoveRow>>;
export const moveReasons: Readonly<Record<keyof typeof moveRows, MoveRow>> = moveRows;
