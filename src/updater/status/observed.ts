import type { FaultData } from "../../rules/fault/fault.ts";
import type { AgentPaths } from "../../machine/files/paths.ts";
import type { Facts, InstalledPackage } from "../plan/host-facts.ts";
import type { Route } from "../../rules/route/route.ts";
import type { Endpoint, PackageName, Settings, UnitName } from "../../rules/settings/settings.ts";
import type { StateReading } from "../store/state-file.ts";
import type { PackageVersion } from "../../rules/version/wrapped.ts";
import type { ShownUnit } from "../unit/shown.ts";
import type { ShownTimer } from "../unit/timer.ts";
import type { Schedule } from "../../rules/window/schedule.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

/** What a look at this host found, without using the network or changing anything. Undefined is what it could not see. */
export type Observed = {
  readonly now: UnixSeconds;
  readonly root: string;
  readonly agentPaths: AgentPaths;
  /** Undefined if the settings are wrong. The basis then has the fault. */
  readonly settings: SettingsSeen | undefined;
  readonly route: Route | undefined;
  readonly basis: Basis;
  readonly state: StateReading;
  readonly installed: InstalledPackage | undefined;
  /** The packages that moved along with the kept ones. */
  readonly along: readonly AlongSeen[];
  readonly schedule: ScheduleSeen;
  readonly units: UnitsSeen;
  /** The pass that is running now. */
  readonly running: Running | undefined;
  /** A sentence for each thing that this user may not see, or that did not answer. */
  readonly unread: readonly string[];
};

export type AlongSeen = {
  readonly packageVersion: PackageVersion;
  readonly names: readonly PackageName[];
  /** Why a rollback to it is not possible any more, in words. */
  readonly objection: string | undefined;
};

export type SettingsSeen = {
  readonly settings: Settings;
  readonly endpoint: Endpoint | undefined;
  /** Where the hold is set. */
  readonly holdOrigin: string | undefined;
  /** Where the pin is set. */
  readonly pinOrigin: string | undefined;
};

/** What a pass would decide from, with the last answer in place of the channel's, or the fault that ends every pass before it decides. */
export type Basis =
  | { readonly kind: "facts"; readonly facts: Facts }
  /** `asked` is the channel that gave the last answer; undefined if no channel ever did. */
  | { readonly kind: "unasked"; readonly facts: Facts; readonly asked: string | undefined }
  | { readonly kind: "fault"; readonly fault: FaultData };

export type ScheduleSeen = {
  readonly file: string;
  readonly schedule: Schedule;
  readonly writtenAt: UnixSeconds | undefined;
  /** The cluster of the agent that wrote it, if the file says so. */
  readonly cluster: string | undefined;
  /** What that agent adds for people. */
  readonly note: string | undefined;
  /** "denied": only root knows whether a window is set. */
  readonly access: "read" | "denied";
};

export type UnitsSeen =
  | { readonly kind: "units"; readonly agent: AgentSeen | undefined; readonly timer: ShownTimer | undefined }
  /** Another root has no running units; without systemd there are none. */
  | { readonly kind: "another-root" | "no-systemd" };

export type AgentSeen = {
  readonly unit: UnitName;
  readonly shown: ShownUnit;
  /** Undefined while it is not up. */
  readonly activeSince: UnixSeconds | undefined;
};

/** The unit's own pass, or a pass in another process. */
export type Running = { readonly by: "unit" } | { readonly by: "process"; readonly pid: number };
