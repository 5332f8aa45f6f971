import type { Connection } from "../../machine/listening/connections.ts";
import type { AuthLimits } from "./limits.ts";

export type Begun = { readonly isTooMany: boolean; readonly end: () => void };

/** Counts the calls under way: of each connection, of each address, and all together. */
export class UnderWay {
  readonly #limits: Pick<AuthLimits, "calls" | "callsOfOneAddress">;
  readonly #ofAddress = new Map<string, number>();
  #all = 0;

  constructor(limits: Pick<AuthLimits, "calls" | "callsOfOneAddress">) {
    this.#limits = limits;
  }

  /** One too many counts as well, since it is answered too. */
  begin(connection: Connection): Begun {
    const { from } = connection;
    const ofAddress = (this.#ofAddress.get(from) ?? 0) + 1;
    this.#ofAddress.set(from, ofAddress);
    this.#all += 1;
    connection.unanswered += 1;
    // Where there are too many of all, nobody is refused who has no more than a fair part of them.
    const fair = this.#all <= this.#limits.calls ? this.#limits.callsOfOneAddress : this.#limits.calls / this.#ofAddress.size;
    return {
      isTooMany: ofAddress > Math.max(1, Math.min(fair, this.#limits.callsOfOneAddress)),
      end: () => {
        connection.unanswered -= 1;
        this.#all -= 1;
        const left = (this.#ofAddress.get(from) ?? 0) - 1;
        if (left > 0) this.#ofAddress.set(from, left);
        else this.#ofAddress.delete(from);
      },
    };
  }
}
