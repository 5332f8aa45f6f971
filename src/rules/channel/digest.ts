import { parsed, type Shape } from "../shape/shape.ts";

/** The header with the digest of an instance's channels. Two digests mean that instances disagree. */
export const channelsHeader = "x-svc-channels";

declare const channelsDigestBrand: unique symbol;

/** SHA-256 of one configuration of channels, in hexadecimal. */
export type ChannelsDigest = string & { readonly [channelsDigestBrand]: true };

const digestPattern = /^[0-9a-f]{64}$/;

/** Undefined for any other text, which no server of ours sends. */
export function parseChannelsDigest(found: unknown): ChannelsDigest | undefined {
  return typeof found === "string" && digestPattern.test(found) ? (found as ChannelsDigest) : undefined;
}

export const channelsDigest: Shape<ChannelsDigest> = parsed(parseChannelsDigest, "a digest of channels");

/** Enough digits to tell the instances of a cluster apart, and to find one in a command's output. */
export function shortDigest(digest: ChannelsDigest): string {
  return digest.slice(0, 12);
}
