import { Fault } from "../../rules/fault/fault.ts";

export type QueueLimits = {
  readonly atOnce: number;
  /** The most that may wait, of all owners together. */
  readonly waiting: number;
  readonly waitingOfOne: number;
};

/** Runs costly work, a few at a time. Owners take turns, so one owner cannot delay another by asking for much. */
export type Queue = { readonly run: <T>(owner: string, work: () => Promise<T>) => Promise<T> };

type Waiting = { readonly begin: () => void; readonly giveUp: () => void };

export function makeQueue({ atOnce, waiting: most, waitingOfOne }: QueueLimits): Queue {
  let running = 0;
  let waiting = 0;
  /** The owners in order of their turns. */
  const owners = new Map<string, Waiting[]>();

  function leave(owner: string, from: "first" | "last"): Waiting | undefined {
    const own = owners.get(owner) ?? [];
    const one = from === "first" ? own.shift() : own.pop();
    if (own.length === 0) owners.delete(owner);
    if (one !== undefined) waiting -= 1;
    return one;
  }

  function next(): void {
    const [first] = owners.entries();
    if (first === undefined || running >= atOnce) return;
    const [owner, own] = first;
    const one = leave(owner, "first");
    owners.delete(owner);
    if (own.length > 0) owners.set(owner, own);
    running += 1;
    one?.begin();
  }

  /** Drops the last of the owner with the most waiting, if this owner has less. */
  function makeRoom(owner: string): void {
    const own = owners.get(owner)?.length ?? 0;
    if (own >= waitingOfOne) throw busy();
    if (waiting < most) return;
    const [greediest] = [...owners].toSorted(([, one], [, other]) => other.length - one.length);
    if (greediest === undefined || greediest[1].length <= own + 1) throw busy();
    leave(greediest[0], "last")?.giveUp();
  }

  function turn(owner: string): Promise<void> {
    if (running < atOnce) {
      running += 1;
      return Promise.resolve();
    }
    makeRoom(owner);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    owners.set(owner, [...(owners.get(owner) ?? []), { begin: resolve, giveUp: () => reject(busy()) }]);
    waiting += 1;
    return promise;
  }

  return {
    run: async (owner, work) => {
      await turn(owner);
      try {
        return await work();
      } finally {
        running -= 1;
        next();
      }
    },
  };
}

function busy(): Fault {
  return new Fault("auth-busy", {
    message: "many sign in at present, and each of them takes a while",
    hint: "try again in some seconds",
    retryAfterSeconds: 5,
  });
}
