import { served } from "../channel/answer.ts";
import { decisionNumber } from "../channel/decision-number.ts";
import { channelsDigest } from "../channel/digest.ts";
import { doubt } from "../channel/doubt.ts";
import { nothingHeard, type Heard } from "../channel/heard.ts";
import { fault, pastFault } from "../fault/data.ts";
import { count, kinds, maybe, number, optional, orElse, record, sentence, truth, word, words, type Of } from "../shape/shape.ts";
import { packageVersion, type PackageVersion } from "../version/wrapped.ts";
import { version, type Version } from "../version/version.ts";
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
export const agentConditions = { running: 0, unhealthy: 0, stopped: 0, unknown: 0 };
export const agentCondition = words(agentConditions);
export type AgentCondition = Of<typeof agentCondition>;

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
export const build = record({ sha256: maybe(word), bytes: maybe(count) });
export type Build = Of<typeof build>;

export const rejection = record({
  served: version,
  packageVersion,
  /** Undefined: no file of it was at hand when it failed. */
  build: optional(build),
  at: number,
  why: sentence,
});
export type Rejection = Of<typeof rejection>;

/** The package that a repository offers for a version. */
export type Offered = { readonly packageVersion: PackageVersion; readonly build: Build };

/**
 * The repairs to a version since it was last found in order: those that helped for a while, that failed, and that were interrupted.
 * Interrupted upgrades are counted apart from them, but in a state of the first release they stand here as well.
 */
export const repairs = record({
  to: version,
  attempts: count,
  /** The last attempt found its package neither kept nor in a repository. The first release never wrote it. */
  isNowhere: orElse(truth, false, (found) => !found),
});
export type Repairs = Of<typeof repairs>;

export const backoff = record({
  /** The served version it is about; another one clears it. */
  served: version,
  cause: pastFault,
  failures: count,
  until: number,
});
export type Backoff = Of<typeof backoff>;

/** The version that a move left behind, and in which package it was installed. */
export const previous = record({ version, packageVersion, leftAt: number });
export type Previous = Of<typeof previous>;

export const operatorNeed = record({ at: number, why: sentence });
export type OperatorNeed = Of<typeof operatorNeed>;

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
