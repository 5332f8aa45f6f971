import type { RunCommand } from "../../machine/processes/command.ts";
import type { PackageExaminer } from "../package/manager/examiner.ts";
import type { PackageManager } from "../package/manager/manager.ts";
import type { SettingSources } from "../sources/settings.ts";
import type { ClockReading } from "../../rules/decide/clock-verdict.ts";
import type { Endpoint, Settings } from "../../rules/settings/settings.ts";
import type { Version } from "../../rules/version/version.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { skipped, type Finding } from "./check.ts";
import type { ProvedNetwork } from "./network.ts";

/** What an examination works with. Nothing in it can change the host. */
export type Scope = {
  readonly sources: SettingSources;
  readonly reach: Reach;
  readonly run: RunCommand;
  readonly readClock: () => ClockReading;
  readonly builtAt: UnixSeconds;
  readonly managers: readonly PackageManager[];
  readonly examiners: readonly PackageExaminer[];
  readonly proveNetwork: (
    settings: Settings,
    endpoint: Endpoint,
    installed: Promise<Version | undefined>,
  ) => Promise<ProvedNetwork>;
};

/** How much can be asked about the host: everything, everything but its units, or only its files. */
export type Reach = "machine" | "no-systemd" | "other-root";

/** Undefined if units can be asked. */
export function withoutUnits(reach: Reach): Finding | undefined {
  if (reach === "machine") return undefined;
  return skipped(reach === "no-systemd" ? "systemd does not run here" : ofOtherRoot);
}

/** Undefined if the host's programs may be run. */
export function withoutPrograms(reach: Reach): Finding | undefined {
  return reach === "other-root" ? skipped(ofOtherRoot) : undefined;
}

const ofOtherRoot = "units and programs of another root are never run";
