import { served } from "../channel/answer.ts";
import { decisionNumber } from "../channel/decision-number.ts";
import { channelsDigest } from "../channel/digest.ts";
import { doubt } from "../channel/doubt.ts";
import { nothingHeard, type Heard } from "../channel/heard.ts";
import { fault } from "../fault/data.ts";
import type { FaultData } from "../fault/fault.ts";
import { kinds, optional, truth, type Of } from "../shape/shape.ts";
import type { PackageVersion } from "../version/wrapped.ts";
import type { Version } from "../version/version.ts";
import type { Schedule } from "../window/schedule.ts";
import type { UnixSeconds } from "../window/window.ts";
import type { ClockVerdict } from "./clock.ts";

/** What the package database says of the agent's package. */
export type InstalledPackage =
  | { readonly kind: "absent" }
  | {
      readonly kind: "present";
      readonly packageVersion: PackageVersion;
      /** Undefined: the package's version wraps no semantic version. */
      readonly version: Version | undefined;
      readonly condition: "whole" | "half-way";
      readonly isHeld: boolean;
    };

/** What the agent's binary says of itself. */
export type Binary =
  /** Why not, where somebody wanted it to be. */
  | { readonly kind: "not-asked"; readonly why?: string }
  | { readonly kind: "answers"; readonly version: Version }
  | { readonly kind: "missing" }
  | { readonly kind: "broken"; readonly why: string };

/** `stopped` is an admin's will and no illness. */
export type AgentCondition = "running" | "unhealthy" | "stopped" | "unknown";

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

/** What tells one build of a package version from another, as far as the package manager names it. */
export type Build = { readonly sha256: string | undefined; readonly bytes: number | undefined };

export type Rejection = {
  readonly served: Version;
  readonly packageVersion: PackageVersion;
  /** Undefined: no file of it was at hand when it failed. */
  readonly build?: Build | undefined;
  readonly at: UnixSeconds;
  readonly why: string;
};

/** The package that a repository offers for a version. */
export type Offered = { readonly packageVersion: PackageVersion; readonly build: Build };

/** How often the installed version was repaired since it was last found in order. */
export type Repairs = {
  readonly to: Version;
  readonly attempts: number;
  /** The last attempt found its package neither kept nor in a repository. */
  readonly isNowhere: boolean;
};

export type Backoff = {
  /** The served version it is about; another one clears it. */
  readonly served: Version;
  readonly cause: FaultData;
  readonly failures: number;
  readonly until: UnixSeconds;
};

/** The version that a move left behind, and in which package it was installed. */
export type Previous = { readonly version: Version; readonly packageVersion: PackageVersion; readonly leftAt: UnixSeconds };

export type OperatorNeed = { readonly at: UnixSeconds; readonly why: string };

/** What earlier passes left for this decision. */
export type Memory = {
  readonly needsOperator: OperatorNeed | undefined;
  readonly rejected: readonly Rejection[];
  readonly backoff: Backoff | undefined;
  /** `run` passes in a row, this one included, that found the agent unhealthy. */
  readonly unhealthyPasses: number;
  /** The served version for which a rescue without schedule was already tried. */
  readonly rescuedFor: Version | undefined;
  /** Durations of the last passes that moved, newest first. */
  readonly moveSeconds: readonly number[];
  readonly previous: Previous | undefined;
  readonly repairs?: Repairs | undefined;
  /** What the channel answered, this pass's answer counted in. */
  readonly heard: Heard;
};

/** Of somebody who was told nothing. */
export const noMemory: Memory = {
  needsOperator: undefined,
  rejected: [],
  backoff: undefined,
  unhealthyPasses: 0,
  rescuedFor: undefined,
  moveSeconds: [],
  previous: undefined,
  repairs: undefined,
  heard: nothingHeard,
};

/** Everything a decision rests on, observed once. */
export type Facts = {
  readonly now: UnixSeconds;
  readonly clock: ClockVerdict;
  readonly installed: InstalledPackage;
  readonly binary: Binary;
  /** A way back asks nobody: it must work while the network is down. */
  readonly answer: ChannelAnswer | { readonly kind: "not-asked" };
  /** What the repositories offer for the served version, where it was looked up. */
  readonly offered: Offered | undefined;
  readonly schedule: Schedule;
  readonly agent: AgentCondition;
  readonly memory: Memory;
};
