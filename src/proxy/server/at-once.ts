export type AtOnceLimits = {
  readonly atOnce: number;
  /** The limit for one address or network. */
  readonly atOnceOfOne: number;
};

export type Taken = {
  /** Makes this place larger. Returns false if there is no room. */
  readonly takeMore: (by: number) => boolean;
  readonly giveBack: () => void;
};

type Share = { readonly from: string; size: number; readonly lose: () => void };
type Holder = { size: number; readonly shares: Set<Share> };

/** Room shared by addresses. When it is full, the address with the most loses its latest place to an address with less. */
export class AtOnce {
  readonly #limits: AtOnceLimits;
  readonly #holders = new Map<string, Holder>();
  #all = 0;

  constructor(limits: AtOnceLimits) {
    this.#limits = limits;
  }

  /** Takes a place; calls `lose` if another address gets it later. Undefined if there is no room. */
  take(from: string, lose: () => void): Taken | undefined {
    const share = { from, size: 0, lose };
    const holder = this.#holders.get(from) ?? { size: 0, shares: new Set() };
    this.#holders.set(from, holder);
    holder.shares.add(share);
    const taken = { takeMore: (by: number) => this.#grow(holder, share, by), giveBack: () => this.#remove(share) };
    if (taken.takeMore(1)) return taken;
    taken.giveBack();
    return undefined;
  }

  #grow(holder: Holder, share: Share, by: number): boolean {
    const isLost = !holder.shares.has(share);
    if (isLost || holder.size + by > this.#limits.atOnceOfOne) return false;
    while (this.#all + by > this.#limits.atOnce) if (!this.#makeRoomFor(holder.size + by)) return false;
    for (const one of [holder, share]) one.size += by;
    this.#all += by;
    return true;
  }

  #makeRoomFor(size: number): boolean {
    let largest: Holder = { size: 0, shares: new Set() };
    for (const holder of this.#holders.values()) if (holder.size > largest.size) largest = holder;
    const newest = [...largest.shares].at(-1);
    if (largest.size <= size || newest === undefined) return false;
    this.#remove(newest);
    newest.lose();
    return true;
  }

  #remove(share: Share): void {
    const holder = this.#holders.get(share.from);
    if (holder?.shares.delete(share) !== true) return;
    holder.size -= share.size;
    this.#all -= share.size;
    if (holder.shares.size === 0) this.#holders.delete(share.from);
  }
}
