import { parsed, type Shape } from "../shape/shape.ts";

declare const channelNameBrand: unique symbol;

/** One or more words joined by slashes: `default`, `stable/cloud`. */
export type ChannelName = string & { readonly [channelNameBrand]: true };

const wordPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;
const mostWords = 8;

export const channelNameRule =
  "words of letters, digits, dot, underscore and hyphen, joined by slashes, for example default or stable/cloud";

export function parseChannelName(text: string): ChannelName | undefined {
  const words = text.split("/");
  if (words.length > mostWords || !words.every((word) => wordPattern.test(word))) return undefined;
  return text as ChannelName;
}

export const channelName: Shape<ChannelName> = parsed(parseChannelName, channelNameRule);

/** The URL that asks about a channel, below the endpoint's own path. */
export function channelUrl(endpoint: string, channel: ChannelName, question: "version" | "critical"): string {
  return `${endpoint.replace(/(?<!\/)\/+$/, "")}/v1/webapi/automaticupgrades/channel/${channel}/${question}`;
}
