import type { Connection } from "../../machine/listening/connections.ts";
import type { AuthLimits } from "./limits.ts";

export type Begun = { readonly isTooMany: boolean; readonly end: () => void };

/** Counts the calls under way: by connection, by address, and all. */
export class UnderWay {
  readonly #limits: Pick<AuthLimits, "calls" | "callsOfOneAddress">;
  readonly #ofAddress = new Map<string, number>();
  #all = 0;

  constructor(limits: Pick<AuthLimits, "calls" | "callsOfOneAddress">) {
    this.#limits = limits;
  }

  /** A refused call counts too, since it is answered. */
  begin(connection: Connection): Begun {
    const { from } = connection;
    const ofAddress = (this.#ofAddress.get(from) ?? 0) + 1;
    this.#ofAddress.set(from, ofAddress);
    this.#all += 1;
    connection.unanswered += 1;
    // When all together are too many, only addresses with more than a fair part are refused.
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
