import type { Shed } from "../../machine/listening/connections.ts";
import type { CountedCall, Refused } from "./outcome.ts";

export type CallCount = { readonly method: string; readonly outcome: string; value: number };

/** Why a certificate was issued. */
export type IssuedBy = "join" | "renew" | "own";

/** Auth's own counters since its start. */
export class Meter {
  readonly shed: Record<Shed, number> = { "most-connections": 0, "most-unread": 0 };
  readonly issued: Record<IssuedBy, number> = { join: 0, renew: 0, own: 0 };
  readonly refused = new Map<Refused, number>();
  readonly #calls = new Map<string, CallCount>();

  /** Labels a call with methods of the schema and words of the protocol, never with a client's text. */
  call({ method = "none", outcome, refused }: CountedCall): void {
    const key = `${method} ${outcome}`;
    const known = this.#calls.get(key);
    if (known === undefined) this.#calls.set(key, { method, outcome, value: 1 });
    else known.value += 1;
    if (refused !== undefined) this.refused.set(refused, (this.refused.get(refused) ?? 0) + 1);
  }

  calls(): readonly CallCount[] {
    return [...this.#calls.values()];
  }
}
