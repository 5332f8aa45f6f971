import type { Channel, Channels } from "./configuration.ts";

/**
 * What two instances must have in common, as one text: the same for every way of writing the same, and different for
 * everything that an agent could be told differently.
 */
export function canonicalChannels(channels: Channels): string {
  const rows = [...channels].toSorted(([left], [right]) => (left < right ? -1 : 1));
  return JSON.stringify(Object.fromEntries(rows.map(([name, channel]) => [name, canonical(channel)])));
}

function canonical(channel: Channel): Readonly<Record<string, unknown>> {
  if (channel.kind === "forwarded") return { forward_url: channel.url };
  const { served, isCritical } = channel;
  return { critical: isCritical, static_version: served.kind === "none" ? "none" : served.version };
}
