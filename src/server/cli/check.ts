import type { Channel } from "../../serving/configuration.ts";
import { printHostPort } from "../../serving/host-port.ts";
import { digestOf } from "../answers.ts";
import { loadFor, type CommandContext, type Options } from "./context.ts";

/** Whether `serve` would start: what is wrong is a Fault, and what is strange is a warning. */
export async function check(options: Options, { surroundings: { environment, out }, log }: CommandContext): Promise<number> {
  const { configuration, keyPairs, remarks } = await loadFor(options, environment);
  for (const remark of remarks) log("warning", remark, {});
  const { channels, listen, publicAddress } = configuration;
  const digest = digestOf(configuration);
  if (options.json) {
    const told = [...channels].map(([name, channel]) => ({ name, ...channelJson(channel) }));
    const answer = {
      schema: 1,
      config: options.config,
      listen: printHostPort(listen),
      tls: keyPairs.length > 0,
      public_addr: printHostPort(publicAddress),
      digest,
      channels: told,
      remarks,
    };
    out(`${JSON.stringify(answer)}\n`);
    return 0;
  }
  out(`${options.config} is right: ${publicAddress.host}, ${channels.size === 1 ? "1 channel" : `${channels.size} channels`}\n`);
  const width = Math.max(...[...channels.keys()].map((name) => name.length));
  for (const [name, channel] of channels) out(`  ${name.padEnd(width)}  ${channelText(channel)}\n`);
  return 0;
}

function channelText(channel: Channel): string {
  if (channel.kind === "forwarded") return `from ${channel.url}`;
  const { served, isCritical } = channel;
  return served.kind === "none" ? "none" : `v${served.version}${isCritical ? ", critical" : ""}`;
}

function channelJson(channel: Channel): Readonly<Record<string, unknown>> {
  if (channel.kind === "forwarded") return { forward_url: channel.url };
  const { served, isCritical } = channel;
  return { static_version: served.kind === "none" ? "none" : `v${served.version}`, critical: isCritical };
}
