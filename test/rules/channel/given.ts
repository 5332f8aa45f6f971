import { parseChannelsDigest, type ChannelsDigest } from "../../../src/rules/channel/digest.ts";
import type { Stretch } from "../../../src/rules/channel/flapping.ts";
import { hear, nothingHeard, type Heard } from "../../../src/rules/channel/heard.ts";
import type { ChannelName } from "../../../src/rules/channel/path.ts";
import { version } from "../version/given.ts";

/** The digest of a configuration that a test gives a letter from a to f. */
export function digestOf(letter: string): ChannelsDigest {
  const digest = parseChannelsDigest(letter.repeat(64));
  if (digest === undefined) throw new Error(`${letter} is no letter from a to f`);
  return digest;
}

/** A pass under each of these, ten minutes apart, the last one first and ten minutes ago. */
export function heardBefore(now: number, letters: string): readonly Stretch[] {
  return letters.split("").map((letter, index) => {
    const at = now - 600 * (index + 1);
    return { digest: digestOf(letter), since: at, until: at };
  });
}

/** What passes leave that heard the channel serve these, ten minutes apart, the last one last and ten minutes ago. */
export function servedBefore(now: number, versions: readonly string[]): Heard {
  const channel = "default" as ChannelName;
  return versions.reduce<Heard>((heard, text, index) => {
    const served = { kind: "version", version: version(text) } as const;
    return hear(heard, { channel, served }, now - 600 * (versions.length - index));
  }, nothingHeard);
}
