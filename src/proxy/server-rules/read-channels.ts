import type { Served } from "../../rules/channel/answer.ts";
import { channelNameRule, parseChannelName, type ChannelName } from "../../rules/channel/path.ts";
import { readChannelUrl } from "../../rules/settings/base-url.ts";
import { readLevel } from "../../rules/shape/check.ts";
import { accepted, describe, isMapping, refusedAs, type SettingReading, type Refusal } from "../../rules/shape/reading.ts";
import { allowing, named, own, parsed, refined, type Shape } from "../../rules/shape/shape.ts";
import { parseVersion } from "../../rules/version/version.ts";
import type { Channel, Channels } from "./configuration.ts";
import { yesOrNo } from "./read-values.ts";

const served: Shape<Served> = parsed((text) => {
  if (text === "none") return { kind: "none" };
  const version = parseVersion(text);
  return version && { kind: "version", version };
}, "a version, for example v15.4.6, or none where nothing is to be upgraded at present");

export const channelFields = {
  static_version: served,
  forward_url: own(
    readChannelUrl,
    "the URL of an upstream channel, without its last /version, for example https://updates.example.com/v1/webapi/automaticupgrades/channel/stable/cloud",
  ),
  critical: yesOrNo,
};

/** More than a fleet has. */
const mostChannels = 10_000;

const rule = "a mapping of channel names, each to {static_version, critical} or {forward_url}";
const byName = named(own(readChannel, rule), {
  isName: (name) => parseChannelName(name) !== undefined,
  name: channelNameRule,
  most: mostChannels,
});

export const channels: Shape<Channels> = refined(allowing(rule, byName), (read) =>
  accepted(new Map(Object.entries(read) as [ChannelName, Channel][])),
);

function readChannel(raw: unknown): SettingReading<Channel> {
  if (!isMapping(raw)) {
    return refusedAs([{ at: "", found: describe(raw), allowed: "a mapping of static_version or forward_url" }]);
  }
  const { values, refusals } = readLevel(raw, channelFields, { kind: "none" });
  const { static_version: version, forward_url: url, critical } = values;
  const misplaced = misplacedIn(raw);
  if (refusals.length > 0 || misplaced.length > 0) return refusedAs([...refusals, ...misplaced]);
  if (version !== undefined) {
    return accepted({ kind: "static", served: version, isCritical: critical === "yes" && version.kind === "version" });
  }
  if (url !== undefined) return accepted({ kind: "forwarded", url });
  return refusedAs([{ at: "", found: "neither static_version nor forward_url", allowed: "exactly one of the two" }]);
}

/** Keys that exclude each other, whatever their values. */
function misplacedIn(raw: Readonly<Record<string, unknown>>): readonly Refusal[] {
  const has = (key: string): boolean => (raw[key] ?? null) !== null;
  if (!has("forward_url")) return [];
  const both: Refusal = { at: "", found: "both static_version and forward_url", allowed: "exactly one of the two" };
  const critical: Refusal = {
    at: ".critical",
    found: "critical beside forward_url",
    allowed: "critical beside static_version alone: of a forwarded channel the upstream is asked",
  };
  return [...(has("static_version") ? [both] : []), ...(has("critical") ? [critical] : [])];
}
