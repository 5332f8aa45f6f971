import { judgeClock, type ClockVerdict } from "../../rules/decide/clock-verdict.ts";
import type { State } from "../record/state.ts";
import { printInstant } from "../../rules/window/instant.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { failed, ok, warning, type Finding } from "./check.ts";
import { withoutUnits, type Scope } from "./scope.ts";
import type { RunCommand } from "../../machine/processes/command.ts";
import type { UnitName } from "../../rules/settings/settings.ts";
import { showProperties, askTimeoutMs } from "../unit/properties.ts";
import { askingAgain } from "../../machine/processes/ask-systemd-again.ts";
import { toolEnvironment } from "../unit/environment.ts";

export async function examineClock(
  { run, reach, readClock, builtAt }: Scope,
  { clock, doubtedClock }: Pick<State, "clock" | "doubtedClock">,
  install: string | undefined,
): Promise<Finding> {
  const reading = readClock();
  const verdict = judgeClock(reading, builtAt, { lastRecord: clock, lastDoubted: doubtedClock });
  const isBooted = withoutUnits(reach) === undefined;
  const keeping = isBooted ? await askTimeKeeping(run) : "unknown";
  const keeper = isBooted ? await findClockKeeper(run) : undefined;
  return tellClock(reading.now, { verdict, keeping, keeper, install });
}

export type ClockScene = {
  readonly verdict: ClockVerdict;
  readonly keeping: TimeKeeping;
  /** The program of this host that could keep the clock right. */
  readonly keeper: ClockKeeper | undefined;
  /** The command that installs one. */
  readonly install: string | undefined;
};

/** Judges the clock. A wrong one keeps every window shut; an unsynchronised one will be wrong some day. */
export function tellClock(now: UnixSeconds, scene: ClockScene): Finding {
  const { verdict, keeping, keeper, install } = scene;
  const told = `the clock says ${printInstant(now)}`;
  if (verdict.kind === "wrong") return tellWrong(`${told}: ${verdict.why}`, scene);
  switch (keeping) {
    case "synchronised":
      return ok(`${told}, synchronised`);
    case "around":
      return ok(`${told}; ${around}`);
    case "unknown":
      return ok(`${told}; whether it is synchronised is not known`);
    case "off":
      return warning(`${told}, and its synchronisation is off`, keeper?.start);
    case "not-yet":
      return warning(`${told}, and is not synchronised`, keeper?.look);
    case "nobody":
      return warning(`${told}, and nothing synchronises it`, keeper?.start ?? install);
  }
}

const around = "it is the clock of the machine around this container";

function tellWrong(told: string, { keeping, keeper, install }: ClockScene): Finding {
  if (keeping === "around") return failed(`${told}; ${around}: set it there`);
  if (keeper !== undefined) return failed(told, keeper.start);
  const keep = install === undefined ? "" : ` && ${install}`;
  const unkept = "nothing here keeps it: set it by hand, and install a program that keeps it";
  return failed(`${told}; ${unkept}`, `sudo date -s 'YYYY-MM-DD HH:MM'${keep}`);
}

/** A program that keeps the clock right: the commands that start it and that show its state. */
type ClockKeeper = { readonly start: string; readonly look: string };

/** The units' names on Debian, Red Hat and SUSE. */
const keepers: readonly (readonly [unit: string, ClockKeeper])[] = [
  ...["chrony.service", "chronyd.service"].map(
    (unit) =>
      [unit, { start: `sudo systemctl enable --now ${unit} && sudo chronyc makestep`, look: "chronyc tracking" }] as const,
  ),
  ["systemd-timesyncd.service", { start: "sudo timedatectl set-ntp true", look: "timedatectl timesync-status" }],
  ...["ntpsec.service", "ntpd.service", "ntp.service"].map(
    (unit) => [unit, { start: `sudo systemctl enable --now ${unit}`, look: "ntpq -p" }] as const,
  ),
];

/** Finds the first of them that is installed; undefined without one. */
export async function findClockKeeper(run: RunCommand): Promise<ClockKeeper | undefined> {
  const loads = await Promise.all(keepers.map(([unit]) => showProperties(run, unit as UnitName, ["LoadState"])));
  return keepers.find((_keeper, index) => loads[index]?.LoadState === "loaded")?.[1];
}

/**
 * What keeps the clock right. "around": the machine around this container. "nobody": no program for it is installed. "off": a program is installed
 * but not enabled. "not-yet": a program runs, but the kernel does not call the clock synchronised.
 */
export type TimeKeeping = "synchronised" | "around" | "nobody" | "off" | "not-yet" | "unknown";

export async function askTimeKeeping(run: RunCommand): Promise<TimeKeeping> {
  const call = (argv: readonly [string, ...string[]]): ReturnType<RunCommand> =>
    askingAgain(run)({ argv, env: toolEnvironment, timeoutMs: askTimeoutMs });
  const container = await call(["systemd-detect-virt", "--container", "--quiet"]);
  if (container.kind === "exited" && container.status === 0) return "around";
  const shown = await call(["timedatectl", "show", "--property=CanNTP", "--property=NTP", "--property=NTPSynchronized"]);
  return shown.kind === "exited" && shown.status === 0 ? parseTimeKeeping(shown.stdout) : "unknown";
}

function parseTimeKeeping(output: string): TimeKeeping {
  const isYes = (key: string): boolean => output.split("\n").includes(`${key}=yes`);
  if (isYes("NTPSynchronized")) return "synchronised";
  if (!isYes("CanNTP")) return "nobody";
  return isYes("NTP") ? "not-yet" : "off";
}
