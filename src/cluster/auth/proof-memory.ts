import { hash } from "node:crypto";
import { freshSeconds } from "../identity/proof.ts";
import { deleteAll } from "./changes.ts";
import { mostRows, type Store } from "../storage/port.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

export type Used = {
  /** Who made the proof. Each owner has a limit, so one cannot fill the memory. */
  readonly owner: string;
  readonly id: string;
  readonly made: UnixSeconds;
  readonly now: UnixSeconds;
};

/** `new`: first use, remembered from now on. `forgotten`: too old to tell whether it was used. */
export type Remembered = "new" | "used" | "forgotten" | "full";

/** Remembers used proofs while they are fresh. */
export type ProofMemory = {
  readonly remember: (used: Used) => Remembered | Promise<Remembered>;
  /** Whether a proof of that time is too old to tell whether it was used. */
  readonly isForgotten: (used: Pick<Used, "made" | "now">) => boolean;
};

const kind = "proof";

/** Remembers proofs in the store, because other auth services take calls too. */
export function proofsIn(store: Pick<Store, "commit">, own: ReturnType<typeof makeProofMemory>): ProofMemory {
  return {
    isForgotten: own.isForgotten,
    remember: async (used) => {
      const known = own.remember(used);
      if (known !== "new") return known;
      // Names begin with the time, so that a list begins with the oldest.
      const name = `${String(used.made).padStart(12, "0")} ${hash("sha256", `${used.owner} ${used.id}`)}`;
      const change = { kind: "put", item: { kind, name }, body: {}, expect: { kind: "absent" } } as const;
      const committed = await store.commit({ at: used.now, by: "auth", changes: [change], audit: [] });
      return committed.kind === "done" ? "new" : "used";
    },
  };
}

export async function forgetOldProofs(store: Pick<Store, "list" | "commit">, now: UnixSeconds): Promise<void> {
  const before = String(now - 2 * freshSeconds).padStart(12, "0");
  for (;;) {
    const page = await store.list(kind, { after: undefined, most: mostRows });
    const old = page.filter(({ name }) => name < before);
    await deleteAll(store, old, now);
    if (old.length < mostRows) return;
  }
}

export type MemoryLimits = { readonly most: number; readonly mostOfOne: number };

/** Enough for two minutes of 1,600 calls a second, 160 of them from one session. Takes some 25 MiB. */
const usual: MemoryLimits = { most: 200_000, mostOfOne: 20_000 };

/** The proofs made in one second, which are dropped together. */
type Second = { readonly ids: Set<string>; readonly owners: Map<string, number> };

export function makeProofMemory(
  started: UnixSeconds,
  limits: MemoryLimits = usual,
): Omit<ProofMemory, "remember"> & { readonly remember: (used: Used) => Remembered; readonly size: () => number } {
  const seconds = new Map<UnixSeconds, Second>();
  const owners = new Map<string, number>();
  let size = 0;
  /** Proofs made up to this second are no longer remembered. At first that is the second before the start. */
  let forgotten = started - 1;

  function forget(now: UnixSeconds): void {
    // The clock was set back, so dropped proofs may be fresh again.
    if (forgotten > now + freshSeconds) forgotten = now - 1;
    for (const [made, second] of seconds) {
      if (made + freshSeconds >= now) continue;
      seconds.delete(made);
      size -= second.ids.size;
      for (const [owner, count] of second.owners) add(owners, owner, -count);
      forgotten = Math.max(forgotten, made);
    }
  }

  return {
    remember: ({ owner, id, made, now }) => {
      forget(now);
      if (made <= forgotten) return "forgotten";
      const second = seconds.get(made) ?? { ids: new Set(), owners: new Map() };
      const key = `${owner} ${id}`;
      if (second.ids.has(key)) return "used";
      if (size >= limits.most || (owners.get(owner) ?? 0) >= limits.mostOfOne) return "full";
      seconds.set(made, second);
      second.ids.add(key);
      add(second.owners, owner, 1);
      add(owners, owner, 1);
      size += 1;
      return "new";
    },
    isForgotten: ({ made, now }) => {
      forget(now);
      return made <= forgotten;
    },
    size: () => size,
  };
}

function add(counts: Map<string, number>, owner: string, more: number): void {
  const count = (counts.get(owner) ?? 0) + more;
  if (count === 0) counts.delete(owner);
  else counts.set(owner, count);
}
