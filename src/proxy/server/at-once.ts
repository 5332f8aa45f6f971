export type AtOnceLimits = {
  readonly atOnce: number;
  /** Of one address, or network of addresses: the others have their turn. */
  readonly atOnceOfOne: number;
};

/** Places for what is under way, of which each address has its share. */
export class AtOnce {
  readonly #limits: AtOnceLimits;
  readonly #ofOne = new Map<string, number>();
  #all = 0;

  constructor(limits: AtOnceLimits) {
    this.#limits = limits;
  }

  /** What is given back gives the place back. Undefined: there is none. */
  take(from: string): (() => void) | undefined {
    const ofOne = this.#ofOne.get(from) ?? 0;
    if (this.#all >= this.#limits.atOnce || ofOne >= this.#limits.atOnceOfOne) return undefined;
    this.#all += 1;
    this.#ofOne.set(from, ofOne + 1);
    return () => {
      this.#all -= 1;
      const left = (this.#ofOne.get(from) ?? 1) - 1;
      if (left === 0) this.#ofOne.delete(from);
      else this.#ofOne.set(from, left);
    };
  }
}
