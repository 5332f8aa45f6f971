import type { UnixSeconds } from "../../rules/window/window.ts";

/**
 * Pauses after wrong passwords, by user and network: the same user signs in from elsewhere without a pause. Only in memory, and
 * bounded: a forgotten entry allows some more attempts, and locks nobody out.
 */
export type Pauses = { readonly begin: (tried: Tried) => Attempt };

export type Tried = { readonly user: string; readonly network: string; readonly now: UnixSeconds };

export type Attempt = {
  /** 0: try it. Each attempt counts as refused until it succeeds, so that many at once do not all pass. */
  readonly waitSeconds: number;
  /** The password was right. */
  readonly succeed: () => void;
  /** The password was not compared. */
  readonly takeBack: () => void;
};

export const freeAttempts = 3;
export const mostPauseSeconds = 300;
const forgottenAfterSeconds = 3600;
const mostNetworks = 10_000;
/** Users that one network tries. All others count as one. */
const mostUsers = 64;
const others = "";

type Entry = { refused: number; until: UnixSeconds; last: UnixSeconds };

export function makePauses(limits = { mostNetworks, mostUsers }): Pauses & { readonly size: () => number } {
  /** The networks, the least recent first. */
  const networks = new Map<string, Map<string, Entry>>();

  function entriesOf(network: string): Map<string, Entry> {
    const entries = networks.get(network) ?? new Map<string, Entry>();
    networks.delete(network);
    networks.set(network, entries);
    const [oldest] = networks.keys();
    if (networks.size > limits.mostNetworks && oldest !== undefined) networks.delete(oldest);
    return entries;
  }

  return {
    begin: ({ user, network, now }) => {
      const entries = entriesOf(network);
      const name = entries.has(user) || entries.size < limits.mostUsers ? user : others;
      const entry = currentOf(entries.get(name), now);
      entries.set(name, entry);
      const waitSeconds = Math.max(0, entry.until - now);
      if (waitSeconds > 0) return { waitSeconds, succeed: () => undefined, takeBack: () => undefined };
      entry.refused += 1;
      entry.last = now;
      entry.until = now + pauseAfter(entry.refused);
      return {
        waitSeconds,
        // The shared count of the others stays.
        succeed: () => void (name === user && entries.delete(name)),
        takeBack: () => {
          entry.refused -= 1;
          entry.until = now;
        },
      };
    },
    size: () => [...networks.values()].reduce((sum, { size }) => sum + size, 0),
  };
}

/** Starts anew after an hour, or if the clock was set back. */
function currentOf(entry: Entry | undefined, now: UnixSeconds): Entry {
  const isOver = entry === undefined || now - entry.last > forgottenAfterSeconds || entry.until - now > mostPauseSeconds;
  return isOver ? { refused: 0, until: now, last: now } : entry;
}

function pauseAfter(refused: number): number {
  return refused < freeAttempts ? 0 : Math.min(2 ** (refused - freeAttempts), mostPauseSeconds);
}
