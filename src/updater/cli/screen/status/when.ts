import { isHeld } from "../../../../rules/decide/gate-policy.ts";
import type { Blackout } from "../../../../rules/decide/gate-policy.ts";
import { stayReasons } from "../../../plan/host-reasons.ts";
import { noScheduleIn } from "../../../plan/unscheduled.ts";
import type { StatusView } from "../../../status/view.ts";
import { tellOwnWindows } from "../../../sentences/window.ts";
import type { OwnWindows } from "../../../../rules/window/own.ts";
import { openingAt, type Window } from "../../../../rules/window/window.ts";
import { tellAway, tellMoment } from "../../times/moment.ts";
import { tellDuration, tellRange } from "../../times/tell-local.ts";
import { row, type Reader, type Row } from "./row.ts";
import { isToldAbove } from "./already-told.ts";

/** The rows about when passes may move: windows, blackouts and holds. */
export function whenRows(view: StatusView, reader: Reader): readonly Row[] {
  const settings = view.seen.settings?.settings;
  return [
    ...(settings?.window === undefined ? [] : [windowRow(settings.window, view, reader)]),
    ...(view.seen.schedule.access === "denied" ? [] : [scheduleRow(view, reader)]),
    ...(view.seen.schedule.note === undefined ? [] : [row("note", view.seen.schedule.note)]),
    ...(settings?.blackouts ?? []).filter(({ to }) => to > reader.now).map((blackout) => blackoutRow(blackout, reader)),
    ...holdRows(view, reader),
    ...pinRows(view),
  ];
}

function windowRow(own: OwnWindows, { openings }: StatusView, reader: Reader): Row {
  return row("window", `${tellOwnWindows(own)}; ${opening(openings, reader)}`, ...openingLines(openings, reader));
}

function scheduleRow(view: StatusView, reader: Reader): Row {
  const told = scheduleTold(view, reader);
  const { basis, settings } = view.seen;
  const noSchedule = settings === undefined || basis.kind === "fault" ? undefined : noScheduleIn(basis.facts, settings.settings);
  if (noSchedule === undefined || isToldAbove(view, noSchedule.why)) return told;
  return { ...told, lines: [...told.lines, `an upgrade would wait: ${stayReasons[noSchedule.why].ends}`], tone: "caution" };
}

function scheduleTold(view: StatusView, reader: Reader): Row {
  const { settings, schedule: seen } = view.seen;
  const { file, writtenAt, schedule, cluster } = seen;
  const by = cluster === undefined ? "" : ` by svc for the cluster ${cluster}`;
  const written = writtenAt === undefined ? file : `${file}, written${by} ${tellAway(writtenAt, reader.now)}`;
  if (settings?.settings.window !== undefined)
    return row("schedule", `${written}; not used: the window of the settings beats it`);
  switch (schedule.kind) {
    case "windows":
      return row("schedule", `${written}; ${opening(view.openings, reader)}`, ...openingLines(view.openings, reader));
    case "never":
      return row("schedule", `${written}: nop, which means never`);
    case "missing":
      return row("schedule", `${file} is missing`);
    case "empty":
      return row("schedule", `${written}: ${cluster === undefined ? "empty" : "no window is configured there"}`);
    case "stale": {
      const ended = isToldAbove(view, "schedule-stale") ? "" : `, its last window ended ${tellMoment(schedule.endedAt, reader)}`;
      return row("schedule", `${written}: stale${ended}`);
    }
    case "invalid": {
      const place = schedule.line === 0 ? "" : `, line ${schedule.line} reads "${schedule.text}"`;
      const flaw = isToldAbove(view, "schedule-invalid") ? "" : `${place}: ${schedule.why}`;
      return row("schedule", `${written}: invalid${flaw}`);
    }
  }
}

function opening(openings: readonly Window[], { now }: Reader): string {
  const found = openingAt(openings, now);
  if (found.kind === "open") return `open for another ${tellDuration(found.until - now)}`;
  return found.opensAt === undefined ? "no window to come" : `opens ${tellAway(found.opensAt, now)}`;
}

/** Prints each window in the cluster's time and in the reader's. */
function openingLines(openings: readonly Window[], { zone }: Reader): readonly string[] {
  return openings.map((window) => {
    const [utc, local] = [tellRange(window, "UTC"), tellRange(window, zone)];
    return utc === local ? utc : `${utc} = ${local}`;
  });
}

function blackoutRow({ from, to, reason }: Blackout, { zone }: Reader): Row {
  return row("blackout", `${tellRange({ start: from, stop: to }, zone)}${reason === undefined ? "" : `: ${reason}`}`);
}

function holdRows(view: StatusView, reader: Reader): readonly Row[] {
  const { settings } = view.seen;
  const hold = settings?.settings.hold;
  if (settings === undefined || hold === undefined) return [];
  const origin = `set in ${settings.holdOrigin}`;
  if (isToldAbove(view, "held")) return [row("hold", origin)];
  const reason = hold.reason === undefined ? "" : `: ${hold.reason}`;
  const until = hold.until === undefined ? "until it is removed" : `until ${tellMoment(hold.until, reader)}`;
  return [row("hold", `${isHeld(hold, reader.now) ? until : `${until}, over`}${reason}; ${origin}`)];
}

function pinRows(view: StatusView): readonly Row[] {
  const { settings } = view.seen;
  const pin = settings?.settings.pin;
  if (settings === undefined || pin === undefined) return [];
  const origin = `set in ${settings.pinOrigin}`;
  if (isToldAbove(view, "pinned")) return [row("pin", origin)];
  return [row("pin", `${pin.version}${pin.reason === undefined ? "" : `: ${pin.reason}`}; ${origin}`)];
}
