/** Wakes the waiting loop, and keeps a ring that came while none waited. */
export class Bell {
  #isRung = false;
  #wake: () => void = () => undefined;

  ring(): void {
    this.#isRung = true;
    this.#wake();
  }

  /** Whether it rang within that time; a raised signal ends the wait, too. */
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
