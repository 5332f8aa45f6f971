import type { UnixSeconds } from "../../rules/window/window.ts";

/**
 * How long whoever tries passwords has to wait, by user and address: others who sign in as the same user, from elsewhere, wait for
 * nothing. Only in memory, and bounded there: what is forgotten lets somebody try a little more, and locks nobody out.
 */
export type Pauses = { readonly begin: (tried: Tried) => Attempt };

export type Tried = { readonly user: string; readonly network: string; readonly now: UnixSeconds };

export type Attempt = {
  /** 0: it may be tried. It counts as refused from now on, so that of many at once only the first few are. */
  readonly waitSeconds: number;
  /** It was right. */
  readonly succeed: () => void;
  /** It was not looked at. */
  readonly takeBack: () => void;
};

export const freeAttempts = 3;
export const mostPauseSeconds = 300;
const forgottenAfterSeconds = 3600;
const mostNetworks = 10_000;
/** Of one network. Beyond that, all others that it tries are one. */
const mostUsers = 64;
const others = "";

type Entry = { refused: number; until: UnixSeconds; last: UnixSeconds };

export function makePauses(limits = { mostNetworks, mostUsers }): Pauses & { readonly size: () => number } {
  /** Those that tried last are the last ones. */
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
        // What others of many tried stays counted.
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

/** One of another time, or of a clock that was ahead, counts no more. */
function currentOf(entry: Entry | undefined, now: UnixSeconds): Entry {
  const isOver = entry === undefined || now - entry.last > forgottenAfterSeconds || entry.until - now > mostPauseSeconds;
  return isOver ? { refused: 0, until: now, last: now } : entry;
}

function pauseAfter(refused: number): number {
  return refused < freeAttempts ? 0 : Math.min(2 ** (refused - freeAttempts), mostPauseSeconds);
}
