import type { UnixSeconds } from "../../rules/window/window.ts";

type Given<Answer> = { readonly at: UnixSeconds; readonly alike: string; readonly answer: Promise<Answer> };

/** The last answer to each asker, and the request that it answered. */
export class RecentAnswers<Answer> {
  readonly #given = new Map<string, Given<Answer>>();

  forget(before: UnixSeconds): void {
    for (const [asker, { at }] of this.#given) {
      // The oldest answers come first.
      if (at > before) return;
      this.#given.delete(asker);
    }
  }

  to(asker: string): Given<Answer> | undefined {
    return this.#given.get(asker);
  }

  /** Keeps an answer from the moment when it was asked for. Forgets an answer that failed. */
  give(asker: string, given: Given<Answer>): Promise<Answer> {
    this.#given.set(asker, given);
    given.answer.catch(() => {
      if (this.#given.get(asker) === given) this.#given.delete(asker);
    });
    return given.answer;
  }
}
