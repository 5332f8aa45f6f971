import type { ClockVerdict } from "../../rules/decide/clock-verdict.ts";
import { build, type AnswerHeard, type Backoff, type Build, type GateMemory } from "../../rules/decide/gate-facts.ts";
import { nothingHeard } from "../../rules/channel/heard.ts";
import { count, number, optional, orElse, record, sentence, truth, words, type Of } from "../../rules/shape/shape.ts";
import { packageVersion, type PackageVersion } from "../../rules/version/wrapped.ts";
import { version, type Version } from "../../rules/version/version.ts";
import type { Schedule } from "../../rules/window/schedule.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

/** What the package database says of the agent's package. */
export type InstalledPackage = PresentPackage | ({ readonly kind: "absent" } & Nothing<Omit<PresentPackage, "kind">>);
type PresentPackage = {
  readonly kind: "present";
  readonly packageVersion: PackageVersion;
  /** Undefined: the package's version wraps no semantic version. */
  readonly version: Version | undefined;
  readonly condition: "whole" | "half-way";
  readonly isHeld: boolean;
};
/** What is absent has no version, and is neither whole nor held: nobody needs to ask first whether it is there. */
type Nothing<T> = { readonly [key in keyof T]?: undefined };

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

export const rejection = record({
  served: version,
  packageVersion,
  /** Undefined: no file of it was at hand when it failed. */
  build: optional(build),
  at: number,
  why: sentence,
});
export type RejectedPackage = Of<typeof rejection>;

/** The package that a repository offers for a version. */
export type OfferedPackage = { readonly packageVersion: PackageVersion; readonly build: Build };

/**
 * The repairs to a version since it was last found in order: those that helped for a while, that failed, and that were interrupted.
 * Interrupted upgrades are counted apart from them.
 */
export const repairs = record({
  to: version,
  attempts: count,
  /** The last attempt found its package neither kept nor in a repository. */
  isNowhere: orElse(truth, false, (found) => !found),
});
export type Repairs = Of<typeof repairs>;

/** The version that a move left behind, and in which package it was installed. */
export const previous = record({
  version,
  packageVersion,
  leftAt: number,
  /** It was left for a pinned version: root's order, and none of the channel's. */
  isPinLed: optional(truth),
});
export type Previous = Of<typeof previous>;

/** What earlier passes left for this decision. */
export type HostMemory = Omit<GateMemory, "rejected" | "previous" | "backoff"> & {
  readonly backoff: Backoff | undefined;
  readonly rejected: readonly RejectedPackage[];
  /** `run` passes in a row, this one included, that found the agent unhealthy. */
  readonly unhealthyPasses: number;
  readonly previous: Previous | undefined;
  readonly repairs?: Repairs | undefined;
};

/** Of somebody who was told nothing. */
export const noMemory: HostMemory = {
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
  /** What releases it where its manager holds it. */
  readonly unhold?: string;
  readonly binary: Binary;
  readonly answer: AnswerHeard;
  /** What the repositories offer for the served version, where it was looked up. */
  readonly offered: OfferedPackage | undefined;
  readonly schedule: Schedule;
  readonly agent: AgentCondition;
  readonly memory: HostMemory;
};
