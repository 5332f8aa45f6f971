import { parseChannelsDigest, type ChannelsDigest } from "../../src/channel/digest.ts";

/** The digest of a configuration that a test gives a letter from a to f. */
export function digestOf(letter: string): ChannelsDigest {
  const digest = parseChannelsDigest(letter.repeat(64));
  if (digest === undefined) throw new Error(`${letter} is no letter from a to f`);
  return digest;
}
