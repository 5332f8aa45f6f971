import type { UnixSeconds } from "../window/window.ts";
import type { Ended } from "./ended.ts";

/** What a host's updater reported last. Versions are as packages or the channel write them, and times are by auth's clock: a host's may be wrong. */
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
  /** Whose window it heeds: schedule (the cluster's), setting (its own), none, or empty. */
  readonly window: string;
  /** Whether it goes back to an older version: allow, refuse, or empty if it does not say. */
  readonly downgrade: string;
};

/** What is known of an enrolled host. */
export type HostEvidence = {
  readonly id: string;
  /** For this target. */
  readonly rank: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly reported: UnixSeconds | undefined;
  /** Another living instance reports the same id, so neither is believed. */
  readonly isShared: boolean;
  /** The host said that it goes down. */
  readonly goodbye: boolean;
  readonly updater: UpdaterSaid | undefined;
};

/** Every host of the channel that was neither removed nor forgotten, in any order. */
export type Evidence = {
  readonly hosts: readonly HostEvidence[];
  readonly now: UnixSeconds;
  /** Counts only time in which an auth took reports. */
  readonly secondsSince: (at: UnixSeconds) => number;
  /** When the last but one of the cluster's windows that have closed was opened; undefined if that is not known. */
  readonly twoWindowsAgo: UnixSeconds | undefined;
};
