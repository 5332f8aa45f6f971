import type { ClockVerdict } from "../../rules/decide/clock-verdict.ts";
import { build, type AnswerHeard, type Backoff, type Build, type GateMemory } from "../../rules/decide/gate-facts.ts";
import { nothingHeard } from "../../rules/channel/heard.ts";
import { count, number, optional, orElse, record, sentence, truth, words, type Of } from "../../rules/shape/shape.ts";
import { packageVersion, type PackageVersion } from "../../rules/version/wrapped.ts";
import { version, type Version } from "../../rules/version/version.ts";
import type { Schedule } from "../../rules/window/schedule.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

/** What the package database says about the agent's package. */
export type InstalledPackage = PresentPackage | ({ readonly kind: "absent" } & Nothing<Omit<PresentPackage, "kind">>);
type PresentPackage = {
  readonly kind: "present";
  readonly packageVersion: PackageVersion;
  /** Undefined if the package's version wraps no semantic version. */
  readonly version: Version | undefined;
  readonly condition: "whole" | "half-way";
  readonly isHeld: boolean;
};
/** An absent package has the same keys, always undefined, so that readers need not check first. */
type Nothing<T> = { readonly [key in keyof T]?: undefined };

/** What the agent's binary reports. */
export type Binary =
  /** `why`: the reason, if somebody wanted it asked. */
  | { readonly kind: "not-asked"; readonly why?: string }
  | { readonly kind: "answers"; readonly version: Version }
  | { readonly kind: "missing" }
  | { readonly kind: "broken"; readonly why: string };

/** `stopped` is an administrator's wish and no illness. */
export const agentConditions = { running: 0, unhealthy: 0, stopped: 0, unknown: 0 };
export const agentCondition = words(agentConditions);
export type AgentCondition = Of<typeof agentCondition>;

export const rejection = record({
  served: version,
  packageVersion,
  /** Undefined if the package's file was not kept when the version failed. */
  build: optional(build),
  at: number,
  why: sentence,
});
export type RejectedPackage = Of<typeof rejection>;

/** The package that a repository offers for a version. */
export type OfferedPackage = { readonly packageVersion: PackageVersion; readonly build: Build };

/**
 * How often a version was repaired since it was last in order: repairs that helped for a while, failed or were interrupted. Interrupted upgrades are
 * counted elsewhere.
 */
export const repairs = record({
  to: version,
  attempts: count,
  /** Whether the last try found the package neither kept nor in a repository. */
  isNowhere: orElse(truth, false, (found) => !found),
});
export type Repairs = Of<typeof repairs>;

/** The version before the last move, and its package. */
export const previous = record({
  version,
  packageVersion,
  leftAt: number,
  /** Whether an administrator's pin, and not the channel, caused the move. */
  isPinLed: optional(truth),
});
export type Previous = Of<typeof previous>;

/** What earlier passes left for a decision. */
export type HostMemory = Omit<GateMemory, "rejected" | "previous" | "backoff"> & {
  readonly backoff: Backoff | undefined;
  readonly rejected: readonly RejectedPackage[];
  /** How many `run` passes in a row found the agent unhealthy, including this one. */
  readonly unhealthyPasses: number;
  readonly previous: Previous | undefined;
  readonly repairs?: Repairs | undefined;
};

/** The memory of a unit that knows nothing of earlier passes. */
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

/** Everything that a decision needs, seen once. */
export type Facts = {
  readonly now: UnixSeconds;
  readonly clock: ClockVerdict;
  readonly installed: InstalledPackage;
  /** The command that releases the package, if its manager holds it. */
  readonly unhold?: string;
  readonly binary: Binary;
  readonly answer: AnswerHeard;
  /** What the repositories offer for the served version, if somebody looked. */
  readonly offered: OfferedPackage | undefined;
  readonly schedule: Schedule;
  readonly agent: AgentCondition;
  readonly memory: HostMemory;
};
