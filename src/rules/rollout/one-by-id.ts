import type { UnixSeconds } from "../window/window.ts";

/** What one instance says of itself. Two instances report the same id if a host was cloned, or joined again. */
export type Claim = {
  /** The id that its updater sends to channels. */
  readonly asks: string;
  readonly reported: UnixSeconds | undefined;
  /** It reports, and has not said that it is shutting down. */
  readonly isLiving: boolean;
  /** The Kubernetes object that this pod belongs to. All pods of an object report one id and count as one host. */
  readonly object: string | undefined;
};

/** `claims`: how many instances report the id. `isShared`: two of them run that do not belong to one Kubernetes object. */
export type Claimed<T> = { readonly claim: T; readonly claims: number; readonly isShared: boolean };

/** Returns the newest claim of each id. If an id is shared, returns the claims of all its running instances: any may be right. */
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
