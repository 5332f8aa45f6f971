import { number, record, type Of } from "../shape/shape.ts";
import type { UnixSeconds } from "../window/window.ts";
import { channelsDigest, shortDigest, type ChannelsDigest } from "./digest.ts";
import { hourSeconds } from "../window/seconds.ts";

/** Passes in a row that were answered under one configuration of channels, from the first of them to the last. */
export const stretch = record({ digest: channelsDigest, since: number, until: number });
export type Stretch = Of<typeof stretch>;

/** A roll-out has two stretches, and a third that leads back is what instances that disagree look like. */
export const mostStretches = 3;

/**
 * Behind one instance of ten that has another configuration, a host that asks every ten minutes hears it every two hours. A
 * configuration that was in force for longer than this was meant, and so was the return to the one before.
 */
export const longestDetourSeconds: number = 6 * hourSeconds;

/** The stretches with one more answer, newest first. What lies in the future was dated by a clock that was wrong, and is forgotten. */
export function hear(stretches: readonly Stretch[], digest: ChannelsDigest, now: UnixSeconds): readonly Stretch[] {
  const [last, ...earlier] = stretches;
  if (last === undefined || last.until > now) return [{ digest, since: now, until: now }];
  if (last.digest === digest) return [{ ...last, until: now }, ...earlier];
  return [{ digest, since: now, until: now }, last, ...earlier].slice(0, mostStretches);
}

export type Flapping = {
  /** The one that answered last, and the other. */
  readonly digests: readonly [ChannelsDigest, ChannelsDigest];
  /** When the last one had come back. */
  readonly at: UnixSeconds;
};

/** Answers that went to another configuration and soon came back, until one of the two has been alone for as long as that may take. */
export function flappingIn(stretches: readonly Stretch[], now: UnixSeconds): Flapping | undefined {
  const [last, detour, before] = stretches;
  if (last === undefined || detour === undefined || last.digest !== before?.digest) return undefined;
  const tookSeconds = last.since - detour.since;
  const isOver = now - last.since > longestDetourSeconds || now < last.since;
  return tookSeconds > longestDetourSeconds || isOver ? undefined : { digests: [last.digest, detour.digest], at: last.since };
}

/** What it means. */
export function tellFlapping({ digests }: Flapping): string {
  const [one, other] = digests.map(shortDigest);
  return `answers alternate between the channel configurations ${one} and ${other}: instances of the version server disagree, and hosts may flip between versions`;
}

/** For whoever runs the servers: a host can do nothing about it. */
export const mendFlapping =
  "give all instances the same channels: `svc-proxy config digest` on each of them shows which one differs (unless a change was just taken back)";
