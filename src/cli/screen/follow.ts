import type { StepName, StepTime } from "../../record/state.ts";
import type { StepScreen } from "./steps.ts";

/** What is known of a running pass at one look. */
export type PassLook = {
  /** The lines that it logged since the look before. */
  readonly lines: readonly string[];
  readonly done: readonly StepTime[];
  readonly inHand: StepName | undefined;
};

/**
 * Puts the log and the steps of a pass that is looked at from outside into the order in which they happened: first what was
 * decided, then the steps, and after the last step what came of it.
 */
export function followOn(screen: StepScreen): {
  readonly look: (look: PassLook) => void;
  readonly end: (look: PassLook) => void;
} {
  const waiting: string[] = [];
  let isFirst = true;
  const sayAll = (lines: readonly string[]): void => {
    for (const line of lines) screen.say(line);
  };
  /** Before a step can begin, the decision has been told. */
  const sayFirst = (): void => {
    if (isFirst && waiting.length > 0) {
      isFirst = false;
      sayAll(waiting.splice(0, 1));
    }
  };
  return {
    look({ lines, done, inHand }) {
      waiting.push(...lines);
      sayFirst();
      // The last line may tell of the end, and the steps up to there be known only at the next look.
      sayAll(waiting.splice(0, Math.max(0, waiting.length - 1)));
      screen.show(done, inHand);
    },
    end({ lines, done }) {
      waiting.push(...lines);
      sayFirst();
      sayAll(waiting.splice(0, Math.max(0, waiting.length - 1)));
      screen.show(done, undefined);
      sayAll(waiting.splice(0));
    },
  };
}
