import type { ClockVerdict } from "../decide/clock.ts";
import type { Answer, Build, Memory as GateMemory, Rejection as GateRejection } from "../decide/facts.ts";
import { nothingHeard } from "../channel/heard.ts";
import type { PackageVersion } from "../version/wrapped.ts";
import type { Version } from "../version/version.ts";
import type { Schedule } from "../window/schedule.ts";
import type { UnixSeconds } from "../window/window.ts";

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

export type Rejection = Omit<GateRejection, "artifact"> & { readonly packageVersion: PackageVersion };

/** The package that a repository offers for a version. */
export type Offered = { readonly packageVersion: PackageVersion; readonly build: Build };

/** How often the installed version was repaired since it was last found in order. */
export type Repairs = {
  readonly to: Version;
  readonly attempts: number;
  /** The last attempt found its package neither kept nor in a repository. */
  readonly isNowhere: boolean;
};

/** The version that a move left behind, and in which package it was installed. */
export type Previous = { readonly version: Version; readonly packageVersion: PackageVersion; readonly leftAt: UnixSeconds };

/** What earlier passes left for this decision. */
export type Memory = Omit<GateMemory, "rejected" | "previous"> & {
  readonly rejected: readonly Rejection[];
  /** `run` passes in a row, this one included, that found the agent unhealthy. */
  readonly unhealthyPasses: number;
  readonly previous: Previous | undefined;
  readonly repairs?: Repairs | undefined;
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
  readonly answer: Answer;
  /** What the repositories offer for the served version, where it was looked up. */
  readonly offered: Offered | undefined;
  readonly schedule: Schedule;
  readonly agent: AgentCondition;
  readonly memory: Memory;
};
