import type { UnixSeconds } from "../window/window.ts";

/** What a host's updater reported last. Versions are as packages or the channel write them, and times are by auth's clock: a host's may be wrong. */
export type UpdaterSaid = {
  readonly installed: string;
  readonly served: string;
  readonly decision: { readonly kind: string; readonly why: string } | undefined;
  /** The step of a move that is under way. */
  readonly step: string | undefined;
  /** How the last move ended. */
  readonly outcome:
    | {
        readonly kind: string;
        readonly version: string;
        readonly fault: string | undefined;
        readonly at: UnixSeconds | undefined;
      }
    | undefined;
  readonly rejected: readonly string[];
  readonly held: boolean;
};

/** What is known of an enrolled host. */
export type HostEvidence = {
  readonly id: string;
  /** For this target. */
  readonly rank: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly reported: UnixSeconds | undefined;
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
  /** When the last but one of the windows that have closed was opened; undefined if only one has. */
  readonly twoWindowsAgo: UnixSeconds | undefined;
};
