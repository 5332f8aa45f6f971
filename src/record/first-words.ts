import { faultTable, type FaultCode } from "../fault/table.ts";
import { decision, type Decision, type MoveReason, type StayReason } from "../plan/decision.ts";
import { agentConditions, type AgentCondition } from "../plan/facts.ts";
import { moveReasons, stayReasons } from "../plan/reasons.ts";
import { movement, type Movement } from "../plan/target.ts";
import type { First } from "../shape/write.ts";
import { endings, holds, movements, noRollback, outcome } from "./state.ts";
import type { NoRollback, Outcome, Recovered, StepInHand, StepName } from "./state.ts";
import { stepParts } from "./steps.ts";

/**
 * The words that the reader of the first release knows, commit c787860: it takes a state with any other word for unreadable, and a
 * host that went back to it would stop there. Hosts run it, so nothing in this type is ever changed.
 */
type FirstWords = {
  readonly stayReason:
    | "no-version"
    | "current"
    | "needs-operator"
    | "held"
    | "package-held"
    | "rejected"
    | "backing-off"
    | "downgrade-refused"
    | "major-refused"
    | "never"
    | "clock"
    | "blackout"
    | "window-too-short"
    | "outside-window"
    | "schedule-missing"
    | "schedule-empty"
    | "schedule-invalid"
    | "schedule-stale";
  readonly moveReason: "asked" | "rollback" | "critical" | "window" | "rescue" | "anytime";
  readonly fault:
    | "usage"
    | "answer-invalid"
    | "redirect-refused"
    | "hand-over-invalid"
    | "channel-unknown"
    | "channel-refused"
    | "tls-untrusted"
    | "proxy-refused"
    | "contact-lost"
    | "package-absent"
    | "package-unreadable"
    | "manager-unclear"
    | "plan-refused"
    | "package-untrusted"
    | "database-broken"
    | "no-way-back"
    | "unhealthy-host"
    | "state-unreadable"
    | "os-failed"
    | "state-unwritable"
    | "file-failed"
    | "busy"
    | "channel-unreachable"
    | "channel-failing"
    | "proxy-unreachable"
    | "ask-failed"
    | "not-offered"
    | "refresh-failed"
    | "download-failed"
    | "manager-busy"
    | "no-space"
    | "stopping"
    | "overtaken"
    | "interrupted"
    | "not-kept"
    | "not-permitted"
    | "settings-invalid"
    | "settings-untrusted"
    | "endpoint-missing"
    | "proxy-invalid"
    | "trust-store-missing"
    | "ca-file-unusable"
    | "host-unsupported"
    | "install-failed"
    | "verify-failed"
    | "activate-failed"
    | "unhealthy"
    | "way-back-failed"
    | "bug";
  readonly step:
    | "refresh"
    | "offer"
    | "simulate"
    | "keep"
    | "install"
    | "verify"
    | "activate"
    | "health"
    | "back-install"
    | "back-verify"
    | "back-activate"
    | "back-health";
  readonly movement: "install" | "upgrade" | "downgrade" | "repair";
  readonly decision: "stay" | "move" | "stop";
  readonly outcome: "stayed" | "moved" | "stopped" | "failed" | "undone";
  readonly noRollback: "not-tried" | "failed";
  readonly recovered: "unchanged" | "finished" | "undone" | "not-mended";
  readonly agent: "running" | "unhealthy" | "stopped" | "unknown";
  readonly hold: "none" | "lifted";
};

type Now = {
  readonly stayReason: StayReason;
  readonly moveReason: MoveReason;
  readonly fault: FaultCode;
  readonly step: StepName;
  readonly movement: Movement["kind"];
  readonly decision: Decision["kind"];
  readonly outcome: Outcome["kind"];
  readonly noRollback: NoRollback["kind"];
  readonly recovered: Recovered["ended"];
  readonly agent: AgentCondition;
  readonly hold: StepInHand["hold"];
};

/**
 * For each word that came after the first release, the nearest of the first: what that release is to take it for. A new word does
 * not compile until its line stands here.
 */
export const nearest: { readonly [V in keyof FirstWords]: Readonly<Record<Exclude<Now[V], FirstWords[V]>, FirstWords[V]>> } = {
  stayReason: { alternating: "backing-off", pinned: "held" },
  moveReason: {},
  fault: {
    "mount-untrusted": "settings-untrusted",
    "package-mislabelled": "package-untrusted",
    "path-untrusted": "settings-untrusted",
    "proxies-unread": "ask-failed",
    "read-only": "host-unsupported",
  },
  step: {},
  movement: {},
  decision: {},
  outcome: {},
  noRollback: {},
  recovered: {},
  agent: {},
  hold: {},
};

export const first: First = {
  nearest: new Map<unknown, Readonly<Record<string, string>>>([
    [stayReasons, nearest.stayReason],
    [moveReasons, nearest.moveReason],
    [faultTable, nearest.fault],
    [stepParts, nearest.step],
    [movement, nearest.movement],
    [movements, nearest.movement],
    [decision, nearest.decision],
    [outcome, nearest.outcome],
    [noRollback, nearest.noRollback],
    [endings, nearest.recovered],
    [agentConditions, nearest.agent],
    [holds, nearest.hold],
  ]),
  /** It refuses a list with more rows. */
  most: { passes: 10, moveSeconds: 5, rejected: 10, channels: 3, kept: 2, steps: 20, done: 20, evidence: 5, causes: 3 },
};
