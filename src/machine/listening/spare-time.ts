import { monotonicMs } from "../clocks/monotonic.ts";

/** Without a look at whoever else has something to say. */
const longestRunMs = 10;
/** While new connections come: the runtime takes one from the system at a time, and a thousand may be before an honest one. */
const longestRestMs = 5;

/** Does one piece of work; false where there is none. */
type Piece = () => boolean;

/** For work that must keep nobody waiting who asks one thing at a time, or who has just come. */
export class SpareTime {
  readonly #accepted: () => number;
  readonly #kinds: Piece[] = [];
  #seen = 0;
  #lastMs = 0;
  #isComing = false;

  /** How many connections there have ever been, for as long as somebody wants to know. */
  constructor(accepted: () => number) {
    this.#accepted = accepted;
  }

  /** The kinds take turns, piece by piece. What is given back is called where there is work. */
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
