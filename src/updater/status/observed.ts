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

/** All that a look at this host found, without network and without changing anything. What could not be seen is undefined. */
export type Observed = {
  readonly now: UnixSeconds;
  readonly root: string;
  /** The agent's own files, as the settings name them. */
  readonly agentPaths: AgentPaths;
  /** Undefined where they are wrong: the basis has the fault. */
  readonly settings: SettingsSeen | undefined;
  readonly route: Route | undefined;
  readonly basis: Basis;
  readonly state: StateReading;
  readonly installed: InstalledPackage | undefined;
  /** What moved along with the packages that are kept. */
  readonly along: readonly AlongSeen[];
  readonly schedule: ScheduleSeen;
  readonly units: UnitsSeen;
  /** A pass that is running now. */
  readonly running: Running | undefined;
  /** What this user may not see, or what did not answer: a sentence each. */
  readonly unread: readonly string[];
};

export type AlongSeen = {
  /** Of the agent's package. */
  readonly packageVersion: PackageVersion;
  readonly names: readonly PackageName[];
  /** Why there is no rollback with it any more, in words. */
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

/** What a pass would decide by now, with the last answer for the channel's; or what ends every pass before it could decide. */
export type Basis =
  | { readonly kind: "facts"; readonly facts: Facts }
  /** The last answer was another channel's: `asked` has its name. Undefined: the channel was never asked. */
  | { readonly kind: "unasked"; readonly facts: Facts; readonly asked: string | undefined }
  | { readonly kind: "fault"; readonly fault: FaultData };

export type ScheduleSeen = {
  readonly file: string;
  readonly schedule: Schedule;
  readonly writtenAt: UnixSeconds | undefined;
  /** Whose agent wrote it, where it says so. */
  readonly cluster: string | undefined;
  /** "denied": whether there is a window is known to root alone. */
  readonly access: "read" | "denied";
};

export type UnitsSeen =
  | { readonly kind: "units"; readonly agent: AgentSeen | undefined; readonly timer: ShownTimer | undefined }
  /** Another root has no units that run, and without systemd there are none at all. */
  | { readonly kind: "another-root" | "no-systemd" };

export type AgentSeen = {
  readonly unit: UnitName;
  readonly shown: ShownUnit;
  /** Undefined while it is not up. */
  readonly activeSince: UnixSeconds | undefined;
};

/** The unit's own pass, or one that another process does alone. */
export type Running = { readonly by: "unit" } | { readonly by: "process"; readonly pid: number };
