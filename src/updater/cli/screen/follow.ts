import { moveReasons } from "../../plan/host-reasons.ts";
import type { StepName, StepTime } from "../../record/state.ts";
import type { StepScreen } from "./steps.ts";

/** What is known of a running pass at one look. */
export type PassLook = {
  /** The lines that it logged since the look before. */
  readonly lines: readonly string[];
  readonly done: readonly StepTime[];
  readonly inHand: StepName | undefined;
};

export type Follower<Look> = {
  readonly look: (look: Look) => void;
  /** `answer`: what is said on stdout, if anything is: the pass's own line with the same sentence is left out. */
  readonly end: (look: Look, answer: string | undefined) => void;
};

/**
 * Puts the log and the steps of a pass that is looked at from outside into the order in which they happened: first what was
 * decided, then the steps, and after the last step what came of it.
 */
export function followOn(screen: StepScreen): Follower<PassLook> {
  const waiting: string[] = [];
  const sayAll = (lines: readonly string[]): void => {
    for (const line of lines) screen.say(line);
  };
  /** Before a step can begin, the decision has been told; others may have spoken before it. */
  const sayUpToDecision = (): void => {
    const at = waiting.findIndex(isMoveTold);
    if (at !== -1) sayAll(waiting.splice(0, at + 1));
  };
  return {
    look({ lines, done, inHand }) {
      waiting.push(...lines);
      sayUpToDecision();
      // The last line may tell of the end, and the steps up to there be known only at the next look.
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

/** The lines as they come. Those of a pass that stays come at its end, which is at once. */
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

/** A line of a pass as its log has it: a sentence, then its fields. The decision to move: what comes after it belongs to the move. */
export function isMoveTold(line: string): boolean {
  const why = /(?: why=|"why":")([a-z-]+)(?=[\s"]|$)/.exec(line)?.[1];
  return why !== undefined && Object.hasOwn(moveReasons, why);
}

/** Whether it may be the sentence that the answer says as well. */
function mayBeAnswer(line: string): boolean {
  return /^(?:no upgrades available|an upgrade is available) \(/.test(line) && !isMoveTold(line);
}

function isAnswer(line: string, answer: string | undefined): boolean {
  return answer !== undefined && (line === answer || line.startsWith(`${answer} channel=`));
}
