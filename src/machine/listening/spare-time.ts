import { monotonicMs } from "../clocks/monotonic.ts";

/** The longest run of work before others are served. */
const longestRunMs = 10;
/** The longest rest while new connections arrive. The runtime takes one at a time, and a thousand may wait before an honest client. */
const longestRestMs = 5;

/** Does one piece of work; false if there is no work. */
type Piece = () => boolean;

/** Work that must not delay clients that ask one thing at a time or have just connected. */
export class SpareTime {
  readonly #accepted: () => number;
  readonly #kinds: Piece[] = [];
  #seen = 0;
  #lastMs = 0;
  #isComing = false;

  /** Counts accepted connections while there is work. */
  constructor(accepted: () => number) {
    this.#accepted = accepted;
  }

  /** Kinds of work take turns, piece by piece. Call the returned function when there is work. */
  spend(piece: Piece): () => void {
    this.#kinds.push(piece);
    return () => {
      if (!this.#isComing) this.#come();
    };
  }

  #come(): void {
    this.#isComing = true;
    setImmediate(() => this.#run());
  }

  #run(): void {
    const startedMs = monotonicMs();
    const isPressed = this.#accepted() !== this.#seen;
    this.#seen = this.#accepted();
    if (isPressed && startedMs - this.#lastMs < longestRestMs) {
      this.#come();
      return;
    }
    const untilMs = startedMs + (isPressed ? 0 : longestRunMs);
    let isWork: boolean;
    do {
      isWork = false;
      for (const piece of this.#kinds) isWork = piece() || isWork;
      this.#lastMs = monotonicMs();
    } while (isWork && this.#lastMs < untilMs);
    this.#isComing = false;
    if (isWork) this.#come();
  }
}
