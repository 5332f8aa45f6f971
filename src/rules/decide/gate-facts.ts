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
    /** Why an answer that says "critical" does not make the update critical by itself. */
    doubt: optional(doubt),
    /** The number of the decision for this version, if the channel is steered. */
    decision: optional(decisionNumber),
    /** The server has not heard from auth for a while, so nothing may move by this answer. */
    isUnconfirmed: optional(truth),
    /** The digest of the answering instance's channels, if the answer has it. */
    channels: optional(channelsDigest),
    /** The name by which the asker was answered, if the channel asked for one. */
    askedAs: optional(hostId),
  },
  fault: { fault },
});
export type ChannelAnswer = Of<typeof channelAnswer>;

/** "not-asked" is for a rollback, which must work while the network is down. */
export type AnswerHeard = ChannelAnswer | { readonly kind: "not-asked" };

/** What is known that distinguishes one build of an artifact from another. */
export const build = record({ sha256: maybe(word), bytes: maybe(count) });
export type Build = Of<typeof build>;

export type Rejection = {
  readonly served: Version;
  readonly artifact: Artifact;
  /** Undefined if nothing was known when it failed. */
  readonly build?: Build | undefined;
  readonly at: UnixSeconds;
  readonly why: string;
};

export type Offered = { readonly artifact: Artifact; readonly build: Build };

export const backoff = record({
  /** The served version that it concerns. Another served version clears it. */
  served: version,
  cause: pastFault,
  failures: count,
  until: number,
});
export type Backoff = Of<typeof backoff>;

/** A wait after failures. Each program stores the last cause in its own form. */
export type Wait<Cause> = Omit<Backoff, "cause"> & { readonly cause: Cause };

export const operatorNeed = record({ at: number, why: sentence });
export type OperatorNeed = Of<typeof operatorNeed>;

/** The schedule that the agent exports. */
export type KnownSchedule = { readonly kind: "windows"; readonly windows: readonly Window[] } | NoSchedule;

export type NoSchedule = { readonly kind: "none"; readonly why: NoScheduleReason; readonly told: string };

/** What earlier decisions left. */
export type GateMemory = {
  readonly needsOperator: OperatorNeed | undefined;
  readonly rejected: readonly Rejection[];
  readonly backoff: Wait<{ readonly message: string }> | undefined;
  /** The served version that a rescue without a schedule has already tried. */
  readonly rescuedFor: Version | undefined;
  /** How long the last moves took, the newest first. */
  readonly moveSeconds: readonly number[];
  /** The version from which the last move came, when, and whether a pin was the reason. */
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
  /** The offered package of the served version, if somebody looked. */
  readonly offered: Offered | undefined;
  readonly schedule: KnownSchedule;
  /** Whether the agent has been unhealthy long enough that the served version may rescue it. */
  readonly isIll: boolean;
  readonly memory: GateMemory;
};
