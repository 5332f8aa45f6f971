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
  /** How many of its hosts may move at the same time: they were told the target and have not proven it yet. */
  readonly atOnce: Share;
};

/** A rollout as a person wrote it. */
export type Spec = {
  readonly channel: ChannelName;
  readonly target: Version;
  /** Hosts move outside of their windows. */
  readonly isCritical?: boolean | undefined;
  readonly stages: readonly StageSpec[];
  readonly halt: { readonly failed: Share; readonly silent: Share; readonly atLeast: number };
  /** The soak begins when this percentage of the hosts that can move has proven the target. */
  readonly donePercent: number;
  /** A host proves the target when it has been healthy at the target for so long. */
  readonly proveSeconds: number;
  /** How long a host in the middle of a move may send no report. */
  readonly silentSeconds: number;
};

/** At least one, or a stage of one host could not begin. */
export function portionOf(share: Share, hosts: number): number {
  return Math.max(1, share.kind === "count" ? share.count : percentOf(share.percent, hosts));
}

/** In a stage with fewer hosts, the first failure halts. */
const smallStage = 20;

/** How many failures halt a stage. */
export function haltLimit(share: Share, hosts: number, atLeast: number): number {
  return Math.max(hosts < smallStage ? 1 : atLeast, portionOf(share, hosts));
}

/** Rounds up, but first corrects binary fractions: 1.1 percent of 1,000 is 11, not 12. */
export function percentOf(percent: number, hosts: number): number {
  return Math.ceil((percent * hosts) / 100 - 1e-9);
}
