import { alternatingIn, mendAlternating, tellAlternating } from "../../../../rules/channel/alternating.ts";
import { flappingIn, mendFlapping, tellFlapping } from "../../../../rules/channel/flapping.ts";
import { printProxy } from "../../../../rules/route/proxy.ts";
import { doubtIn } from "../../../status/doubt.ts";
import type { StatusView } from "../../../status/view.ts";
import { tellMoment, tellMoments } from "../../times/moment.ts";
import { tellLocal } from "../../times/tell-local.ts";
import { caution, row, type Reader, type Row } from "./row.ts";

/** The rows about the version server: its address, the way to it, and its last answer. */
export function askingRows({ seen: { settings, route }, memory, standing }: StatusView, reader: Reader): readonly Row[] {
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
