import type { StepName, StepTime } from "../../record/state.ts";
import type { Paint } from "./paint.ts";

/** The steps of a pass on a terminal: each is there while it lasts, and stays with how long it took. */
export type StepScreen = {
  /** All that have ended so far, and the one in hand. */
  readonly show: (done: readonly StepTime[], inHand: StepName | undefined) => void;
  /** Any other line: it stands above the step in hand. */
  readonly say: (line: string) => void;
};

/** Goes back to the start of the line and clears it. */
const anew = "\r\u001B[K";
const nameColumns = 13;

/** For a terminal alone: the line of the step in hand is written over. */
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
