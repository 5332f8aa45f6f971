import { served } from "../channel/answer.ts";
import { decisionNumber } from "../channel/decision-number.ts";
import { channelsDigest } from "../channel/digest.ts";
import { doubt } from "../channel/doubt.ts";
import type { Heard } from "../channel/heard.ts";
import { fault, pastFault } from "../fault/data.ts";
import { count, kinds, maybe, number, optional, record, sentence, truth, word, type Of } from "../shape/shape.ts";
import { version, type Version } from "../version/version.ts";
import type { UnixSeconds, Window } from "../window/window.ts";
import type { Artifact } from "./artifact.ts";
import type { ClockVerdict } from "./clock-verdict.ts";
import type { NoScheduleReason } from "./gate-answer.ts";

export const channelAnswer = kinds({
  served: {
    served,
    /** The answer itself says that it is this version which is critical. */
    isCritical: truth,
    /** It says critical, but that does not count by itself. */
    doubt: optional(doubt),
    /** Of the channel's decision that named the version, where somebody steers it. */
    decision: optional(decisionNumber),
    /** Of the instance that named the version, where it says so. */
    channels: optional(channelsDigest),
  },
  fault: { fault },
});
export type ChannelAnswer = Of<typeof channelAnswer>;

/** A rollback asks nobody: it must work while the network is down. */
export type AnswerHeard = ChannelAnswer | { readonly kind: "not-asked" };

/** What tells one build of an artifact from another, as far as it is told. */
export const build = record({ sha256: maybe(word), bytes: maybe(count) });
export type Build = Of<typeof build>;

export type Rejection = {
  readonly served: Version;
  readonly artifact: Artifact;
  /** Undefined: nothing of it was at hand when it failed. */
  readonly build?: Build | undefined;
  readonly at: UnixSeconds;
  readonly why: string;
};

/** What is offered for a version. */
export type Offered = { readonly artifact: Artifact; readonly build: Build };

export const backoff = record({
  /** The served version it is about; another one clears it. */
  served: version,
  cause: pastFault,
  failures: count,
  until: number,
});
export type Backoff = Of<typeof backoff>;

/** A wait after failures, whatever a program knows of the last one. */
export type Wait<Cause> = Omit<Backoff, "cause"> & { readonly cause: Cause };

export const operatorNeed = record({ at: number, why: sentence });
export type OperatorNeed = Of<typeof operatorNeed>;

/** The schedule as the agent exports it. */
export type KnownSchedule = { readonly kind: "windows"; readonly windows: readonly Window[] } | NoSchedule;

export type NoSchedule = { readonly kind: "none"; readonly why: NoScheduleReason; readonly told: string };

/** What earlier decisions left for this one. */
export type GateMemory = {
  readonly needsOperator: OperatorNeed | undefined;
  readonly rejected: readonly Rejection[];
  readonly backoff: Wait<{ readonly message: string }> | undefined;
  /** The served version for which a rescue without schedule was already tried. */
  readonly rescuedFor: Version | undefined;
  /** How long the last moves took, newest first. */
  readonly moveSeconds: readonly number[];
  /** The version that the last move left, and when; and whether it was left for a pinned one. */
  readonly previous:
    | { readonly version: Version; readonly leftAt: UnixSeconds; readonly isPinLed?: boolean | undefined }
    | undefined;
  /** What the channel answered, this answer counted in. */
  readonly heard: Heard;
};

/** What the gates judge by, wherever the agent runs. */
export type GateFacts = {
  readonly now: UnixSeconds;
  readonly clock: ClockVerdict;
  readonly answer: AnswerHeard;
  /** Undefined: nothing is. */
  readonly installed: Artifact | undefined;
  /** What is offered for the served version, where it was looked up. */
  readonly offered: Offered | undefined;
  readonly schedule: KnownSchedule;
  /** Unhealthy for long enough that the served version may be its rescue. */
  readonly isIll: boolean;
  readonly memory: GateMemory;
};
