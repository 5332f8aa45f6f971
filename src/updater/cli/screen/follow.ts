import { moveReasons } from "../../plan/host-reasons.ts";
import type { StepName, StepTime } from "../../record/state.ts";
import type { StepScreen } from "./steps.ts";

/** The state of a running pass at one look. */
export type PassLook = {
  /** The log lines since the last look. */
  readonly lines: readonly string[];
  readonly done: readonly StepTime[];
  readonly inHand: StepName | undefined;
};

export type Follower<Look> = {
  readonly look: (look: Look) => void;
  /** Ends the output. `answer` is the line for stdout, if any. The log line with the same sentence is then left out. */
  readonly end: (look: Look, answer: string | undefined) => void;
};

/**
 * Prints the log and the steps of a pass in the order in which they happened: first the decision, then the steps, and the result after the last step.
 */
export function followOn(screen: StepScreen): Follower<PassLook> {
  const waiting: string[] = [];
  const sayAll = (lines: readonly string[]): void => {
    for (const line of lines) screen.say(line);
  };
  /** Prints lines up to the decision: a step begins only after it, and other lines may come before. */
  const sayUpToDecision = (): void => {
    const at = waiting.findIndex(isMoveTold);
    if (at !== -1) sayAll(waiting.splice(0, at + 1));
  };
  return {
    look({ lines, done, inHand }) {
      waiting.push(...lines);
      sayUpToDecision();
      // Keeps the last line, which may be about the end of the pass while the next look still brings steps.
      sayAll(waiting.splice(0, Math.max(0, waiting.length - 1)));
      screen.show(done, inHand);
    },
    end({ lines, done }, answer) {
      waiting.push(...lines);
      sayUpToDecision();
      const left = waiting.splice(0).filter((line) => !isAnswer(line, answer));
      sayAll(left.splice(0, Math.max(0, left.length - 1)));
      screen.show(done, undefined);
      sayAll(left);
    },
  };
}

/** Prints lines as they come. Keeps a line that may repeat the answer until the end of the pass. */
export function followPlainly(say: (line: string) => void): Follower<readonly string[]> {
  const waiting: string[] = [];
  return {
    look(lines) {
      waiting.push(...lines);
      const at = waiting.findIndex(mayBeAnswer);
      for (const line of waiting.splice(0, at === -1 ? waiting.length : at)) say(line);
    },
    end(lines, answer) {
      for (const line of [...waiting.splice(0), ...lines]) if (!isAnswer(line, answer)) say(line);
    },
  };
}

/** Whether a log line is the decision to move. All later lines are about that move. */
export function isMoveTold(line: string): boolean {
  const why = /(?: why=|"why":")([a-z-]+)(?=[\s"]|$)/.exec(line)?.[1];
  return why !== undefined && Object.hasOwn(moveReasons, why);
}

/** Whether the line may have the same sentence as the answer. */
function mayBeAnswer(line: string): boolean {
  return /^(?:no upgrades available|an upgrade is available) \(/.test(line) && !isMoveTold(line);
}

function isAnswer(line: string, answer: string | undefined): boolean {
  return answer !== undefined && (line === answer || line.startsWith(`${answer} channel=`));
}
