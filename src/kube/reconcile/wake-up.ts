/** Wakes the waiting loop. Keeps a ring that came while the loop did not wait. */
export class Bell {
  #isRung = false;
  #wake: () => void = () => undefined;

  ring(): void {
    this.#isRung = true;
    this.#wake();
  }

  /** Whether it rang within that time. A raised signal also ends the wait. */
  async rings(withinMs: number, signal: AbortSignal): Promise<boolean> {
    if (!this.#isRung && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      signal.addEventListener("abort", this.#wake, { once: true });
      const timer = setTimeout(resolve, withinMs);
      await promise;
      clearTimeout(timer);
      signal.removeEventListener("abort", this.#wake);
    }
    const isRung = this.#isRung;
    this.#isRung = false;
    return isRung;
  }
}
