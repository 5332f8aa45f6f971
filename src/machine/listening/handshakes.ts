import type { Connection } from "./connections.ts";
import type { SpareTime } from "./spare-time.ts";

type Begin = () => void;

/** Runs handshakes, which take a millisecond of the processor each. Addresses take turns, so that a crowd at one address delays nobody else. */
export class Handshakes {
  readonly #waiting = new Map<string, Begin[]>();
  readonly #tell: () => void;

  constructor(spare: Pick<SpareTime, "spend">) {
    this.#tell = spare.spend(() => this.#begin());
  }

  add({ from, socket }: Pick<Connection, "from" | "socket">, begin: Begin): void {
    // Nothing else listens to the socket before the handshake, so a client that goes away is closed here.
    const ignore = (): void => undefined;
    socket.on("error", ignore);
    const beginUnlessGone = (): void => {
      socket.off("error", ignore);
      if (!socket.destroyed) begin();
    };
    const others = this.#waiting.get(from);
    if (others === undefined) this.#waiting.set(from, [beginUnlessGone]);
    else others.push(beginUnlessGone);
    this.#tell();
  }

  #begin(): boolean {
    for (const [from, queue] of this.#waiting) {
      // Puts the address last.
      this.#waiting.delete(from);
      const begin = queue.shift();
      if (queue.length > 0) this.#waiting.set(from, queue);
      begin?.();
      return true;
    }
    return false;
  }
}
