import type { StepName, StepTime } from "../../record/state.ts";
import type { Paint } from "./paint.ts";

/** Shows the steps of a pass on a terminal: each appears when it begins, and stays with its duration. */
export type StepScreen = {
  /** Shows the finished steps and the current one. */
  readonly show: (done: readonly StepTime[], inHand: StepName | undefined) => void;
  /** Prints any other line above the current step. */
  readonly say: (line: string) => void;
};

/** Moves the cursor to the start of the line and clears the line. */
const anew = "\r\u001B[K";
const nameColumns = 13;

/** Works only on a terminal, because it overwrites the line of the current step. */
export function openStepScreen(write: (text: string) => void, paint: Paint): StepScreen {
  let told = 0;
  let standing: StepName | undefined;
  const stand = (step: StepName | undefined): void => {
    standing = step;
    if (step !== undefined) write(paint.faint(`  ${step} ...`));
  };
  const clear = (): void => {
    if (standing !== undefined) write(anew);
  };
  return {
    show(done, inHand) {
      const ended = done.slice(told);
      if (ended.length === 0 && inHand === standing) return;
      clear();
      for (const step of ended) write(`${lineOf(step)}\n`);
      told += ended.length;
      stand(inHand);
    },
    say(line) {
      clear();
      write(`${line}\n`);
      stand(standing);
    },
  };
}

function lineOf({ step, ms }: StepTime): string {
  return `  ${step.padEnd(nameColumns)} ${(ms / 1000).toFixed(1)} s`;
}
