import { encode } from "../../../rules/shape/write.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import { readClock } from "../../../machine/clocks/read-clock.ts";
import { pathsBelow, type Paths } from "../../../machine/files/paths.ts";
import { prepare, type PreparedSettings } from "../../sources/settings.ts";
import { originText } from "../../../rules/settings/explain.ts";
import { readSchedule, seeSchedule } from "../../store/schedule-file.ts";
import { clocksOf } from "../../../machine/clocks/runtime-zones.ts";
import { knownHostZone } from "../../../machine/clocks/local-times.ts";
import type { UnixSeconds } from "../../../rules/window/window.ts";
import type { CommandContext } from "../context.ts";
import type { SharedOptions } from "../options.ts";
import { scheduleAnswer } from "../json/schedule.ts";
import { mostShown, showSchedule } from "../screen/schedule.ts";
import { scheduleOfWindow, viewSchedule, type ClocksOf, type ScheduleSource, type ShownSchedule } from "../schedule-view.ts";
import { sourcesOf } from "../wiring/sources.ts";
import { askedTime } from "../times/asked-time.ts";
import { hostZone } from "../times/tell-local.ts";

/** sysexits.h's status for invalid input. */
const statusInvalid = 65;

/** Prints the windows as a pass sees them, from the schedule in force or from a given file. */
export async function schedule(options: SharedOptions, given: Given, context: CommandContext): Promise<number> {
  const [file] = given.arguments;
  const spoken = given.text("at");
  const { surroundings, log } = context;
  const at = spoken === undefined ? readClock().now : askedTime(spoken);
  const paths = pathsBelow(options.root);
  const prepared = await prepare({ ...sourcesOf(paths, context), at });
  const source = sourceOf(file, prepared);
  if (file !== undefined && prepared.settings.window !== undefined) {
    log("notice", "on this host the setting window beats any schedule file", {});
  }
  const seen = await scheduleFrom(source, at, paths);
  if (file !== undefined && seen.kind === "missing") throw noSuchFile(file);
  const view = viewSchedule({ source, at, schedule: seen, blackouts: prepared.settings.blackouts });
  surroundings.out(options.json ? `${JSON.stringify(encode(scheduleAnswer, view))}\n` : showSchedule(view, hostZone()));
  return seen.kind === "invalid" ? statusInvalid : 0;
}

function sourceOf(file: string | undefined, { settings, rows, agentPaths }: PreparedSettings): ScheduleSource {
  if (file !== undefined) return { kind: "file", path: file };
  const { window: own } = settings;
  const row = rows.find(({ key, value }) => value !== undefined && saysWhen.includes(key));
  if (own === undefined || row === undefined) return { kind: "file", path: agentPaths.schedule };
  return { kind: "window", own, origin: originText(row.origin), beats: agentPaths.schedule };
}

/** Each way to set windows has one of these keys. */
const saysWhen: readonly string[] = ["window", "window.utc_start_hour", "window.start"];

async function scheduleFrom(source: ScheduleSource, at: UnixSeconds, paths: Paths): Promise<ShownSchedule> {
  if (source.kind === "window") {
    const clocks: ClocksOf = (named) => {
      const zone = named ?? knownHostZone(paths);
      return { zone, offsetAt: clocksOf(zone) };
    };
    return scheduleOfWindow(source.own, { at, openings: mostShown, clocks });
  }
  const found = await readSchedule(source.path, { now: () => at, wait: (ms) => sleep(ms) });
  if (found.kind === "invalid" && seeSchedule(source.path, at).isDenied) throw notReadable(source.path);
  return found;
}

function notReadable(path: string): Fault {
  return new Fault("not-permitted", {
    message: `${path} may not be read by this user`,
    hint: "run this as root: `sudo svc-upgrade schedule`",
  });
}

function noSuchFile(path: string): Fault {
  return new Fault("usage", {
    message: `there is no file ${quote(path)}`,
    hint: "name a schedule file, or none for the one in force: `svc-upgrade schedule`",
  });
}
