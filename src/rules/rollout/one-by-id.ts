import type { UnixSeconds } from "../window/window.ts";

/** What one instance says of itself. Two hosts that were cloned report one id, and so does a host that joined anew. */
export type Claim = {
  /** The id by which its updater asks. */
  readonly asks: string;
  readonly reported: UnixSeconds | undefined;
  /** It is not silent, and has not said that it goes down. */
  readonly isLiving: boolean;
  /** The object in Kubernetes whose pod it is: its pods report one id and are one host. */
  readonly object: string | undefined;
};

/** How many instances report an id, and whether two living ones do that are not one object. */
export type Claimed<T> = { readonly claim: T; readonly claims: number; readonly isShared: boolean };

/** One claim of each id, the newest; of an id that is shared all, since none of them can be believed. */
export function oneById<T extends Claim>(all: readonly T[]): readonly Claimed<T>[] {
  const byId = new Map<string, T | T[]>();
  for (const claim of all) {
    const others = byId.get(claim.asks);
    if (others === undefined) byId.set(claim.asks, claim);
    else if (Array.isArray(others)) others.push(claim);
    else byId.set(claim.asks, [others, claim]);
  }
  const found: Claimed<T>[] = [];
  for (const one of byId.values()) {
    if (!Array.isArray(one)) found.push({ claim: one, claims: 1, isShared: false });
    else found.push(...settled(one));
  }
  return found;
}

function settled<T extends Claim>(claims: readonly T[]): readonly Claimed<T>[] {
  const living = claims.filter(({ isLiving }) => isLiving);
  const [first] = living;
  const isShared = living.length > 1 && living.some(({ object }) => object === undefined || object !== first?.object);
  const kept = isShared ? living : [claims.reduce(newer)];
  return kept.map((claim) => ({ claim, claims: claims.length, isShared }));
}

function newer<T extends Claim>(one: T, other: T): T {
  if (one.isLiving !== other.isLiving) return one.isLiving ? one : other;
  return (other.reported ?? 0) > (one.reported ?? 0) ? other : one;
}
