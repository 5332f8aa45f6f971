import type { Served } from "../channel/answer.ts";
import type { DecisionNumber } from "../channel/decision-number.ts";
import type { ChannelsDigest } from "../channel/digest.ts";
import type { CriticalDoubt } from "../channel/doubt.ts";
import type { Heard } from "../channel/heard.ts";
import type { FaultData } from "../fault/fault.ts";
import type { Version } from "../version/version.ts";
import type { UnixSeconds, Window } from "../window/window.ts";
import type { Artifact } from "./artifact.ts";
import type { ClockVerdict } from "./clock.ts";
import type { NoScheduleReason } from "./decision.ts";

export type ChannelAnswer =
  | {
      readonly kind: "served";
      readonly served: Served;
      /** The answer itself says that it is this version which is critical. */
      readonly isCritical: boolean;
      /** It says critical, but that does not count by itself. */
      readonly doubt?: CriticalDoubt | undefined;
      /** Of the channel's decision that named the version, where somebody steers it. */
      readonly decision?: DecisionNumber | undefined;
      /** Of the instance that named the version, where it says so. */
      readonly channels?: ChannelsDigest | undefined;
    }
  | { readonly kind: "fault"; readonly fault: FaultData };

/** A rollback asks nobody: it must work while the network is down. */
export type Answer = ChannelAnswer | { readonly kind: "not-asked" };

/** What tells one build of an artifact from another, as far as it is told. */
export type Build = { readonly sha256: string | undefined; readonly bytes: number | undefined };

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

export type Backoff = {
  /** The served version it is about; another one clears it. */
  readonly served: Version;
  readonly cause: FaultData;
  readonly failures: number;
  readonly until: UnixSeconds;
};

export type OperatorNeed = { readonly at: UnixSeconds; readonly why: string };

/** The schedule as the agent exports it. */
export type KnownSchedule = { readonly kind: "windows"; readonly windows: readonly Window[] } | NoSchedule;

export type NoSchedule = { readonly kind: "none"; readonly why: NoScheduleReason; readonly told: string };

/** What earlier decisions left for this one. */
export type Memory = {
  readonly needsOperator: OperatorNeed | undefined;
  readonly rejected: readonly Rejection[];
  readonly backoff: Backoff | undefined;
  /** The served version for which a rescue without schedule was already tried. */
  readonly rescuedFor: Version | undefined;
  /** How long the last moves took, newest first. */
  readonly moveSeconds: readonly number[];
  /** The version that the last move left, and when. */
  readonly previous: { readonly version: Version; readonly leftAt: UnixSeconds } | undefined;
  /** What the channel answered, this answer counted in. */
  readonly heard: Heard;
};

/** What the gates judge by, wherever the agent runs. */
export type GateFacts = {
  readonly now: UnixSeconds;
  readonly clock: ClockVerdict;
  readonly answer: Answer;
  /** Undefined: nothing is. */
  readonly installed: Artifact | undefined;
  /** What is offered for the served version, where it was looked up. */
  readonly offered: Offered | undefined;
  readonly schedule: KnownSchedule;
  /** Unhealthy for long enough that the served version may be its rescue. */
  readonly isIll: boolean;
  readonly memory: Memory;
};
