import { parsed, type Shape } from "../shape/shape.ts";

/** The header in which an instance says what its channels are: answers of different ones come from instances that disagree. */
export const channelsHeader = "x-svc-channels";

declare const channelsDigestBrand: unique symbol;

/** What one configuration of channels comes to: SHA-256 in hexadecimal. */
export type ChannelsDigest = string & { readonly [channelsDigestBrand]: true };

const digestPattern = /^[0-9a-f]{64}$/;

/** Anything else is not of an instance of ours, and says nothing. */
export function parseChannelsDigest(found: unknown): ChannelsDigest | undefined {
  return typeof found === "string" && digestPattern.test(found) ? (found as ChannelsDigest) : undefined;
}

export const channelsDigest: Shape<ChannelsDigest> = parsed(parseChannelsDigest, "a digest of channels");

/** Enough to tell the instances of a cluster apart, and to find one in the output of a command. */
export function shortDigest(digest: ChannelsDigest): string {
  return digest.slice(0, 12);
}
