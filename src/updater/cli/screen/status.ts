import type { StatusView } from "../../status/view.ts";
import type { Paint } from "./paint.ts";
import { headlineOf, type Headline } from "./status/headline.ts";
import { memoryRows } from "./status/memory.ts";
import { decisionRows, passRows } from "./status/passes.ts";
import { printRow, row, toned, type Row, caution, type Reader } from "./status/row.ts";
import { unitRows } from "./status/units.ts";
import { whenRows } from "./status/when.ts";
import { screenColumns, wrap } from "./wrap.ts";
import { tellAway, tellMoment, tellMoments } from "../times/moment.ts";
import { alternatingIn, mendAlternating, tellAlternating } from "../../../rules/channel/alternating.ts";
import { flappingIn, mendFlapping, tellFlapping } from "../../../rules/channel/flapping.ts";
import { printProxy } from "../../../rules/route/proxy.ts";
import { doubtIn } from "../../status/doubt.ts";
import { tellLocal } from "../times/tell-local.ts";

export type StatusScreen = { readonly zone: string; readonly paint: Paint };

/** Prints the whole answer first, for a hurried reader; then a row for each known fact. */
export function renderStatus(view: StatusView, { zone, paint }: StatusScreen): string {
  const { now, root, unread } = view.seen;
  const reader = { now, zone, root };
  const headline = headlineOf(view, reader);
  const rows = [
    ...packageRows(view),
    ...askingRows(view, reader),
    ...whenRows(view, reader),
    ...decisionRows(view, reader),
    ...memoryRows(view, reader),
    ...unitRows(view, reader),
    ...passRows(view, reader),
    ...(unread.length === 0 ? [] : [row("not seen", ...unread)]),
  ];
  const details = headline.details.map((detail) => printRow(detail, paint)).join("");
  return `${answer(headline, view, paint)}${details}\n${rows.map((told) => printRow(told, paint)).join("")}`;
}

function answer({ lead, tone }: Headline, view: StatusView, paint: Paint): string {
  const [first = "", ...others] = wrap(`${lead}: ${haveAndServed(view)}.`, screenColumns);
  // Highlights the lead, which always fits into the first line.
  const led = `${paint.strong(toned(lead, tone, paint))}${paint.strong(first.slice(lead.length))}`;
  return [led, ...others.map(paint.strong)].map((line) => `${line}\n`).join("");
}

/** The row about the package. Leaves out what the first lines already say. */
function packageRows({ seen: { installed, settings } }: StatusView): readonly Row[] {
  if (installed?.kind !== "present" || settings === undefined) return [];
  const { packageVersion, version, isHeld } = installed;
  const name = settings.settings.agent.package;
  if (isHeld) return [row("package", `${name} ${packageVersion}, held at its version by the package manager`)];
  return packageVersion === String(version) ? [] : [row("package", `${name} ${packageVersion}`)];
}

/** `svc-ent 15.4.5 is installed; the channel served 15.4.6 (4 minutes ago)`: part of every answer. */
function haveAndServed(view: StatusView): string {
  return `${have(view)}${pinned(view)}; ${served(view)}`;
}

function have({ seen: { settings, installed }, memory }: StatusView): string {
  const name = settings?.settings.agent.package ?? "the agent";
  if (installed === undefined) {
    const last = memory.passes.find((pass) => pass.installed !== undefined)?.installed;
    return last === undefined
      ? `the installed version of ${name} is not known`
      : `${name} ${last} was installed at the last pass`;
  }
  if (installed.kind === "absent") return `${name} is not installed`;
  const version = installed.version ?? installed.packageVersion;
  return `${name} ${version} is ${installed.condition === "whole" ? "installed" : "only half installed"}`;
}

function pinned({ seen: { settings, installed } }: StatusView): string {
  const pin = settings?.settings.pin;
  if (pin === undefined) return "";
  return installed?.version === pin.version ? " and pinned" : `; ${pin.version} is pinned`;
}

function served({ seen: { state, now }, memory: { lastContact } }: StatusView): string {
  if (state.kind !== "state") return "what the channel served is not known";
  if (lastContact === undefined) return "the channel has given no answer yet";
  const what = lastContact.served === "none" ? "no version" : lastContact.served;
  return `the channel served ${what} (${tellAway(lastContact.at, now)})`;
}

/** The rows about the version server: its address, the way to it, and its last answer. */
function askingRows({ seen: { settings, route }, memory, standing }: StatusView, reader: Reader): readonly Row[] {
  const { lastContact, silentSince } = memory;
  const rows: Row[] = [];
  if (lastContact !== undefined) {
    const critical = lastContact.isCritical ? ", as a critical update" : "";
    rows.push(row("last answer", `${tellLocal(lastContact.at, reader.zone)}${critical}`));
  }
  const doubt = doubtIn(memory, reader.now);
  if (doubt !== undefined) rows.push(caution("critical", `called so, which does not count yet: ${tellMoments(doubt, reader)}`));
  const isToldAbove = standing.kind === "failing" && standing.at === "answer";
  if (silentSince !== undefined && !isToldAbove)
    rows.push(caution("silent", `no contact since ${tellMoment(silentSince, reader)}`));
  const flapping = flappingIn(memory.channels, reader.now);
  if (flapping !== undefined) {
    const told = `${tellFlapping(flapping)}, last seen ${tellMoment(flapping.at, reader)}`;
    rows.push(caution("instances", told, mendFlapping));
  }
  const alternating = alternatingIn(memory.heard, reader.now);
  if (alternating !== undefined) {
    const told = `${tellAlternating(alternating)}, last seen ${tellMoment(alternating.at, reader)}`;
    rows.push(caution("versions", told, mendAlternating));
  }
  if (settings !== undefined) {
    const {
      endpoint,
      settings: { channel },
    } = settings;
    rows.push(row("channel", endpoint === undefined ? channel : `${channel} at ${endpoint}`));
  }
  if (route !== undefined) {
    const way = route.kind === "proxy" ? `proxy ${printProxy(route.proxy)}` : "direct";
    rows.push(row("route", `${way} (${route.rule})`));
  }
  return rows;
}
