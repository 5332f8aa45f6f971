import { number, record, type Of } from "../shape/shape.ts";
import type { UnixSeconds } from "../window/window.ts";
import { channelsDigest, shortDigest, type ChannelsDigest } from "./digest.ts";
import { hourSeconds } from "../window/seconds.ts";

/** A time in which every answer came from one configuration of channels. */
export const stretch = record({ digest: channelsDigest, since: number, until: number });
export type Stretch = Of<typeof stretch>;

/** A change of the configuration makes two stretches. If the third has the first one's configuration, instances seem to disagree. */
export const mostStretches = 3;

/**
 * A configuration that returns within this time shows that instances disagree: if one of ten differs, a host that asks every ten minutes meets it
 * about every two hours. A configuration that lasted longer was intended, and so was its end.
 */
export const longestDetourSeconds: number = 6 * hourSeconds;

/** Adds an answer to the stretches, the newest first. Begins again if the newest ended in the future: the clock was wrong then. */
export function hear(stretches: readonly Stretch[], digest: ChannelsDigest, now: UnixSeconds): readonly Stretch[] {
  const [last, ...earlier] = stretches;
  if (last === undefined || last.until > now) return [{ digest, since: now, until: now }];
  if (last.digest === digest) return [{ ...last, until: now }, ...earlier];
  return [{ digest, since: now, until: now }, last, ...earlier].slice(0, mostStretches);
}

export type Flapping = {
  /** The digest of the last answer, and the other one. */
  readonly digests: readonly [ChannelsDigest, ChannelsDigest];
  /** When the last configuration came back. */
  readonly at: UnixSeconds;
};

/** Finds answers that changed to another configuration and soon changed back. Finds none once the last one has stayed for six hours. */
export function flappingIn(stretches: readonly Stretch[], now: UnixSeconds): Flapping | undefined {
  const [last, detour, before] = stretches;
  if (last === undefined || detour === undefined || last.digest !== before?.digest) return undefined;
  const tookSeconds = last.since - detour.since;
  const isOver = now - last.since > longestDetourSeconds || now < last.since;
  return tookSeconds > longestDetourSeconds || isOver ? undefined : { digests: [last.digest, detour.digest], at: last.since };
}

export function tellFlapping({ digests }: Flapping): string {
  const [one, other] = digests.map(shortDigest);
  return `answers alternate between the channel configurations ${one} and ${other}: instances of the version server disagree, and hosts may flip between versions`;
}

/** The hint for the administrator of the servers, because the host's administrator can do nothing. */
export const mendFlapping =
  "give all instances the same channels: `svc-proxy config digest` on each of them shows which one differs (unless a change was just taken back)";
