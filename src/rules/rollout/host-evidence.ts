import type { UnixSeconds } from "../window/window.ts";
import type { Ended } from "./ended.ts";

/** What a host's updater reported last. Versions are spelled as in the package or the channel. Times are by auth's clock: a host's may be wrong. */
export type UpdaterSaid = {
  readonly installed: string;
  readonly served: string;
  readonly decision: { readonly kind: string; readonly why: string } | undefined;
  /** The step of a move that is under way. */
  readonly step: string | undefined;
  readonly ended: Ended | undefined;
  /** The fault of its last pass. */
  readonly fault: string | undefined;
  readonly rejected: readonly string[];
  readonly held: boolean;
  /** Since when it has found the agent unhealthy. */
  readonly unhealthySince: UnixSeconds | undefined;
  /** Which window it keeps to: schedule (the cluster's), setting (its own), none, or empty if it does not say. */
  readonly window: string;
  /** Whether it moves to an older version: allow, refuse, or empty if it does not say. */
  readonly downgrade: string;
};

/** What is known of an enrolled host. */
export type HostEvidence = {
  readonly id: string;
  /** The host's place in the order of this target. */
  readonly rank: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly reported: UnixSeconds | undefined;
  /** Another running instance reports the same id, so neither report can be trusted. */
  readonly isShared: boolean;
  /** The host said that it is shutting down. */
  readonly goodbye: boolean;
  readonly updater: UpdaterSaid | undefined;
};

/** All hosts of the channel in the inventory, in any order. */
export type Evidence = {
  readonly hosts: readonly HostEvidence[];
  readonly now: UnixSeconds;
  /** Seconds since then, without the time in which no auth service took reports. */
  readonly secondsSince: (at: UnixSeconds) => number;
  /** When the second last of the cluster's closed windows opened; undefined if auth does not know it. */
  readonly twoWindowsAgo: UnixSeconds | undefined;
};
