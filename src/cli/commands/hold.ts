import { asFault } from "../../fault/explain.ts";
import { Fault } from "../../fault/fault.ts";
import { readClock } from "../../host/clock.ts";
import { runCommand } from "../../host/run-command.ts";
import { prepare, type SettingSources } from "../../sources/settings.ts";
import { isHeld } from "../../decide/policy.ts";
import { originText } from "../../settings/explain.ts";
import { readHold } from "../../settings/read-ranges.ts";
import type { Hold } from "../../decide/policy.ts";
import type { SettingRow } from "../../settings/settings.ts";
import { removeHold, writeHold } from "../../store/hold-file.ts";
import { decidingUnit } from "../../unit/own-units.ts";
import { unitControl } from "../../unit/systemctl.ts";
import { printInstant } from "../../window/instant.ts";
import type { UnixSeconds } from "../../window/window.ts";
import { changeable } from "../changeable.ts";
import type { CommandContext } from "../context.ts";
import { holdAnswer, unholdAnswer } from "../json/hold.ts";
import type { HoldOptions, SharedOptions } from "../options.ts";
import { screenColumns, wrap } from "../screen/wrap.ts";
import { sourcesOf } from "../wiring/sources.ts";
import { askedTime } from "../times/asked-time.ts";
import { hostZone, tellLocal } from "../times/told.ts";
import { isBooted, isOwnRoot } from "../../host/booted.ts";

/** Writes a hold to a settings fragment of its own, in place of the one before. Afterwards it is in force, or nothing has changed. */
export async function hold(options: HoldOptions, context: CommandContext): Promise<number> {
  const sources = changeableSources("hold", options, context);
  const asked = askedHold(options);
  // What is wrong already is told before anything is changed.
  await prepare(sources);
  const path = sources.paths.hold;
  const putBack = writeHold(sources.paths, asked);
  try {
    const owner = ownerOf((await prepare(sources)).rows);
    if (owner !== path) throw overruled(owner, path);
  } catch (thrown) {
    putBack();
    throw thrown;
  }
  await tellOfPass(sources);
  context.surroundings.out(options.json ? `${JSON.stringify(holdAnswer.write(asked))}\n` : told(asked, options.root));
  return 0;
}

/** Takes that fragment away. Another one that holds upgrades is its author's, and is named. */
export async function unhold(options: SharedOptions, context: CommandContext): Promise<number> {
  const sources = changeableSources("unhold", options, context);
  const { paths, log } = sources;
  const isRemoved = removeHold(paths);
  try {
    const { settings, rows } = await prepare(sources);
    if (isHeld(settings.hold, readClock().now)) throw stillHeld(ownerOf(rows));
  } catch (thrown) {
    if (isRemoved) log("notice", "the hold that svc-upgrade hold had written is taken away", { path: paths.hold });
    throw thrown;
  }
  const line = isRemoved ? "upgrades are not on hold any more; the next pass decides again" : "upgrades were not on hold";
  context.surroundings.out(options.json ? `${JSON.stringify(unholdAnswer.write(isRemoved))}\n` : `${line}\n`);
  return 0;
}

/** The settings of a root that this user may change. */
function changeableSources(command: string, options: SharedOptions, context: CommandContext): SettingSources {
  return sourcesOf(changeable(command, options, context), context);
}

/** By the rules of every other fragment. */
function askedHold({ until: spoken, reason }: HoldOptions): Hold {
  const until = spoken === undefined ? undefined : timeToCome(spoken);
  const reading = readHold({ reason });
  if (reading.kind === "value") return { ...reading.value, until };
  throw new Fault("usage", {
    message: `--reason cannot be ${reading.refusals.map(({ found }) => found).join(", ")}`,
    hint: 'give one line of text, for example --reason "year-end freeze"',
  });
}

function timeToCome(spoken: string): UnixSeconds {
  const instant = askedTime(spoken);
  const { now } = readClock();
  if (instant > now) return instant;
  throw new Fault("usage", {
    message: `--until names ${printInstant(instant)}, and it is ${printInstant(now)} by this host's clock`,
    hint: "give a time to come, for example 2h, 3d or tomorrow",
  });
}

/** The file whose `hold` is in force. */
function ownerOf(rows: readonly SettingRow[]): string {
  const row = rows.find(({ key }) => key === "hold");
  if (row === undefined) throw new Error("every setting has its row");
  return originText(row.origin);
}

/** Only the unit's pass is seen: to try the lock would turn away a pass that begins just then. */
async function tellOfPass({ paths, log }: SettingSources): Promise<void> {
  if (!isOwnRoot(paths) || !isBooted()) return;
  try {
    const { active } = await unitControl(runCommand).show(decidingUnit);
    if (active === "activating") log("notice", "a pass is running; it heeds the hold unless it has begun to change the package");
  } catch (thrown) {
    log("warning", "whether a pass is running cannot be seen", { why: asFault(thrown).message });
  }
}

function told({ until, reason }: Hold, root: string): string {
  const end = until === undefined ? "" : ` until ${tellLocal(until, hostZone())} (${printInstant(until)})`;
  const held = `upgrades are on hold${end}${reason === undefined ? "" : `: ${reason}`}`;
  const lift = `to end it: svc-upgrade unhold${root === "/" ? "" : ` --root ${root}`}`;
  return [...wrap(held, screenColumns), lift, ""].join("\n");
}

function overruled(owner: string, path: string): Fault {
  return new Fault("settings-invalid", {
    message: `${owner} sets hold as well and wins over ${path}; nothing was changed`,
    hint: `change the hold in ${owner}, or take it out there and type this again`,
  });
}

function stillHeld(owner: string): Fault {
  return new Fault("settings-invalid", {
    message: `upgrades are still on hold: ${owner} says so`,
    hint: `take hold out of ${owner}, which svc-upgrade hold did not write`,
  });
}
