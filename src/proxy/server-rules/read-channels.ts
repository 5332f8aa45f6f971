import type { Served } from "../../rules/channel/answer.ts";
import { channelNameRule, parseChannelName, type ChannelName } from "../../rules/channel/path.ts";
import { quote } from "../../rules/text/quote.ts";
import { readChannelUrl } from "../../rules/settings/base-url.ts";
import {
  accepted,
  describe,
  isMapping,
  refused,
  refusedAs,
  type SettingReading,
  type RefusedSetting,
} from "../../rules/settings/reading.ts";
import type { Endpoint } from "../../rules/settings/settings.ts";
import { parseVersion } from "../../rules/version/version.ts";
import type { Channel, Channels } from "./configuration.ts";
import { readLevel, type Field } from "./read-mapping.ts";
import { yesOrNo } from "./read-values.ts";

export const channels: Field<Channels> = {
  read: readChannels,
  allowed: "a mapping of channel names, each to {static_version, critical} or {forward_url}",
};

const staticVersion: Field<Served> = {
  read: (raw) => {
    if (raw === "none") return accepted({ kind: "none" });
    const version = typeof raw === "string" ? parseVersion(raw) : undefined;
    return version === undefined ? refused(raw) : accepted({ kind: "version", version });
  },
  allowed: "a version, for example v15.4.6, or none where nothing is to be upgraded at present",
};

const forwardUrl: Field<Endpoint> = {
  read: readChannelUrl,
  allowed:
    "the URL of an upstream channel, without its last /version, for example https://updates.example.com/v1/webapi/automaticupgrades/channel/stable/cloud",
};

/** Every key of a channel. */
export const channelFields: {
  readonly static_version: Field<Served>;
  readonly forward_url: Field<Endpoint>;
  readonly critical: Field<"yes" | "no">;
} = { static_version: staticVersion, forward_url: forwardUrl, critical: yesOrNo };

function readChannels(raw: unknown): SettingReading<Channels> {
  if (!isMapping(raw)) return refused(raw);
  const read = new Map<ChannelName, Channel>();
  const refusals: RefusedSetting[] = [];
  for (const [key, definition] of Object.entries(raw)) {
    const name = parseChannelName(key);
    const channel = readChannel(definition);
    if (name === undefined) refusals.push({ at: `.${quote(key)}`, found: "no channel name", allowed: channelNameRule });
    if (channel.kind === "refused") {
      refusals.push(...channel.refusals.map((refusal) => ({ ...refusal, at: `.${quote(key)}${refusal.at}` })));
    } else if (name !== undefined) read.set(name, channel.value);
  }
  return refusals.length > 0 ? refusedAs(refusals) : accepted(read);
}

function readChannel(raw: unknown): SettingReading<Channel> {
  if (!isMapping(raw)) {
    return refusedAs([{ at: "", found: describe(raw), allowed: "a mapping of static_version or forward_url" }]);
  }
  const { values, refusals } = readLevel(raw, channelFields, { kind: "none" });
  const { static_version: served, forward_url: url, critical } = values;
  const misplaced = misplacedIn(raw);
  if (refusals.length > 0 || misplaced.length > 0) return refusedAs([...refusals, ...misplaced]);
  if (served !== undefined) {
    return accepted({ kind: "static", served, isCritical: critical === "yes" && served.kind === "version" });
  }
  if (url !== undefined) return accepted({ kind: "forwarded", url });
  return refusedAs([{ at: "", found: "neither static_version nor forward_url", allowed: "exactly one of the two" }]);
}

/** Which of the keys do not go together, whatever their values. */
function misplacedIn(raw: Readonly<Record<string, unknown>>): readonly RefusedSetting[] {
  const has = (key: string): boolean => (raw[key] ?? null) !== null;
  if (!has("forward_url")) return [];
  const both: RefusedSetting = { at: "", found: "both static_version and forward_url", allowed: "exactly one of the two" };
  const critical: RefusedSetting = {
    at: ".critical",
    found: "critical beside forward_url",
    allowed: "critical beside static_version alone: of a forwarded channel the upstream is asked",
  };
  return [...(has("static_version") ? [both] : []), ...(has("critical") ? [critical] : [])];
}
