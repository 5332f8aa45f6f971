import { served } from "../channel/answer.ts";
import { hostId } from "../channel/asking-host.ts";
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
    /** The answer names this version as the critical one. */
    isCritical: truth,
    /** The answer says critical, but that does not count by itself. */
    doubt: optional(doubt),
    /** The decision that named the version, if the channel is steered. */
    decision: optional(decisionNumber),
    /** The server has not heard from auth for a while, so nothing may move by this answer. */
    isUnconfirmed: optional(truth),
    /** The channels of the instance that named the version, if it says so. */
    channels: optional(channelsDigest),
    /** The name that the asker was answered by, if the channel asked for one. */
    askedAs: optional(hostId),
  },
  fault: { fault },
});
export type ChannelAnswer = Of<typeof channelAnswer>;

/** "not-asked" is for a rollback, which must work while the network is down. */
export type AnswerHeard = ChannelAnswer | { readonly kind: "not-asked" };

/** The known facts that tell one build of an artifact from another. */
export const build = record({ sha256: maybe(word), bytes: maybe(count) });
export type Build = Of<typeof build>;

export type Rejection = {
  readonly served: Version;
  readonly artifact: Artifact;
  /** Undefined if none was known when it failed. */
  readonly build?: Build | undefined;
  readonly at: UnixSeconds;
  readonly why: string;
};

export type Offered = { readonly artifact: Artifact; readonly build: Build };

export const backoff = record({
  /** The served version that it is about; another one clears it. */
  served: version,
  cause: pastFault,
  failures: count,
  until: number,
});
export type Backoff = Of<typeof backoff>;

/** A wait after failures, with the program's own record of the last cause. */
export type Wait<Cause> = Omit<Backoff, "cause"> & { readonly cause: Cause };

export const operatorNeed = record({ at: number, why: sentence });
export type OperatorNeed = Of<typeof operatorNeed>;

/** The schedule as the agent exports it. */
export type KnownSchedule = { readonly kind: "windows"; readonly windows: readonly Window[] } | NoSchedule;

export type NoSchedule = { readonly kind: "none"; readonly why: NoScheduleReason; readonly told: string };

/** The memory of earlier decisions. */
export type GateMemory = {
  readonly needsOperator: OperatorNeed | undefined;
  readonly rejected: readonly Rejection[];
  readonly backoff: Wait<{ readonly message: string }> | undefined;
  /** The served version that a rescue without schedule already tried. */
  readonly rescuedFor: Version | undefined;
  /** Durations of the last moves, newest first. */
  readonly moveSeconds: readonly number[];
  /** The version that the last move left, when, and whether for a pin. */
  readonly previous:
    | { readonly version: Version; readonly leftAt: UnixSeconds; readonly isPinLed?: boolean | undefined }
    | undefined;
  /** The channel's answers, including this one. */
  readonly heard: Heard;
};

export type GateFacts = {
  readonly now: UnixSeconds;
  readonly clock: ClockVerdict;
  readonly answer: AnswerHeard;
  readonly installed: Artifact | undefined;
  /** The offer for the served version, if it was looked up. */
  readonly offered: Offered | undefined;
  readonly schedule: KnownSchedule;
  /** Unhealthy for long enough that the served version may be its rescue. */
  readonly isIll: boolean;
  readonly memory: GateMemory;
};
