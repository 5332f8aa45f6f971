import { uptime } from "node:os";

/** How long a proxy may tell hosts a new version after auth's last answer. */
export type AnswerLife = {
  /** True until auth has answered for the first time. */
  readonly isOver: () => boolean;
  readonly begin: (seconds: number) => void;
};

/** Measures by the time since the boot: nobody can set it, and it counts the time for which the host was suspended. */
export function answerLife(sinceBootSeconds: () => number = uptime): AnswerLife {
  let until = Number.NEGATIVE_INFINITY;
  /** Asks the kernel at most once in a millisecond, because that costs half as much as a whole answer. */
  let last = { atMs: Number.NaN, isOver: true };
  return {
    isOver: () => {
      const atMs = Date.now();
      if (last.atMs !== atMs) last = { atMs, isOver: sinceBootSeconds() >= until };
      return last.isOver;
    },
    begin: (seconds) => {
      until = sinceBootSeconds() + seconds;
      last = { atMs: Number.NaN, isOver: false };
    },
  };
}
