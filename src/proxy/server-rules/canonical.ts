import type { Channel, Channels } from "./configuration.ts";

/** The channels as one text that instances can compare: equal for every spelling of the same, different if any agent could get a different answer. */
export function canonicalChannels(channels: Channels): string {
  const rows = [...channels].toSorted(([left], [right]) => (left < right ? -1 : 1));
  return JSON.stringify(Object.fromEntries(rows.map(([name, channel]) => [name, canonical(channel)])));
}

function canonical(channel: Channel): Readonly<Record<string, unknown>> {
  if (channel.kind === "forwarded") return { forward_url: channel.url };
  const { served, isCritical } = channel;
  return { critical: isCritical, static_version: served.kind === "none" ? "none" : served.version };
}
