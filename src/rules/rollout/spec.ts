import type { ChannelName } from "../channel/path.ts";
import type { Version } from "../version/version.ts";

/** A share of a stage's hosts. */
export type Share = { readonly kind: "percent"; readonly percent: number } | { readonly kind: "count"; readonly count: number };

/** The hosts of a stage. A host belongs to the first stage that selects it; `others` is the last one. */
export type Select =
  | { readonly kind: "labels"; readonly labels: Readonly<Record<string, string>> }
  /** A share of all hosts of the channel. */
  | { readonly kind: "percent"; readonly percent: number }
  | { readonly kind: "others" };

export type StageSpec = {
  readonly name: string;
  readonly select: Select;
  readonly soakSeconds: number;
  /** How many of its hosts may be told without having proven the target. */
  readonly atOnce: Share;
};

/** A rollout as a person wrote it. */
export type Spec = {
  readonly channel: ChannelName;
  readonly target: Version;
  /** Hosts that are told move outside of their windows. */
  readonly isCritical?: boolean | undefined;
  readonly stages: readonly StageSpec[];
  readonly halt: { readonly failed: Share; readonly silent: Share; readonly atLeast: number };
  /** A stage soaks once so many of the hosts that can move have proven the target. */
  readonly donePercent: number;
  /** How long a host must be well at the target. */
  readonly proveSeconds: number;
  /** How long a host in the middle of a move may send no report. */
  readonly silentSeconds: number;
};

/** Never zero, or a stage of one host could not begin. */
export function portionOf(share: Share, hosts: number): number {
  return Math.max(1, share.kind === "count" ? share.count : percentOf(share.percent, hosts));
}

/** In a smaller stage the first failure halts. */
const smallStage = 20;

/** How many failures halt a stage. */
export function haltLimit(share: Share, hosts: number, atLeast: number): number {
  return Math.max(hosts < smallStage ? 1 : atLeast, portionOf(share, hosts));
}

/** Rounds up. 1.1 percent of 1,000 is 11, whatever binary fractions make of it. */
export function percentOf(percent: number, hosts: number): number {
  return Math.ceil((percent * hosts) / 100 - 1e-9);
}
