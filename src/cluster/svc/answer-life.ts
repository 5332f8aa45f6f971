import { uptime } from "node:os";

/** How long a proxy may tell hosts a new version after auth's last answer. */
export type AnswerLife = {
  /** True until auth has answered for the first time. */
  readonly isOver: () => boolean;
  readonly begin: (seconds: number) => void;
};

/** By time since boot, which nobody sets and which counts a suspended host's sleep. */
export function answerLife(sinceBootSeconds: () => number = uptime): AnswerLife {
  let until = Number.NEGATIVE_INFINITY;
  /** Asking the kernel costs as much as half an answer, so it is asked once in a millisecond. */
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
