import type { UnixSeconds } from "../../rules/window/window.ts";

type Given<Answer> = { readonly at: UnixSeconds; readonly alike: string; readonly answer: Promise<Answer> };

/** What was given out lately, to whom, and for what. */
export class Lately<Answer> {
  readonly #given = new Map<string, Given<Answer>>();

  /** The oldest come first: whoever is given something is put at the end. */
  forget(before: UnixSeconds): void {
    for (const [whom, { at }] of this.#given) {
      if (at > before) return;
      this.#given.delete(whom);
    }
  }

  to(whom: string): Given<Answer> | undefined {
    return this.#given.get(whom);
  }

  /** While it is being made it counts, too. What failed was not given. */
  give(whom: string, given: Given<Answer>): Promise<Answer> {
    this.#given.set(whom, given);
    given.answer.catch(() => {
      if (this.#given.get(whom) === given) this.#given.delete(whom);
    });
    return given.answer;
  }
}
