import { asFault } from "../../rules/fault/explain.ts";
import { Fault } from "../../rules/fault/fault.ts";
import type { Done } from "./done.ts";

/** A change, and how to undo it. Undoing also repairs a change that stopped half-way. */
export type Step = {
  readonly on: string;
  readonly act: () => Done | void | Promise<Done>;
  readonly undo: () => void | Promise<void>;
};

/** Does all steps or none: if one fails, undoes those before it, the latest first. */
export async function runSteps(steps: readonly Step[]): Promise<readonly Done[]> {
  const begun: Step[] = [];
  const done: Done[] = [];
  try {
    for (const step of steps) {
      begun.unshift(step);
      // oxlint-disable-next-line no-await-in-loop -- each rests on the one before
      const one = await step.act();
      if (one !== undefined) done.push(one);
    }
    return done;
  } catch (thrown) {
    throw withEnd(asFault(thrown), endOf(begun, await takeBack(begun)));
  }
}

/** Undoes the steps. Returns what could not be undone, and why. */
async function takeBack(begun: readonly Step[]): Promise<readonly string[]> {
  const standing: string[] = [];
  for (const { on, undo } of begun) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- the latest first
      await undo();
    } catch (thrown) {
      standing.push(`${on} (${asFault(thrown).message})`);
    }
  }
  return standing;
}

function endOf(begun: readonly Step[], standing: readonly string[]): string {
  if (standing.length > 0) return `this stands and was not taken back: ${standing.join("; ")}`;
  return begun.length === 1 ? "nothing was changed" : "what was done before was taken back";
}

function withEnd({ code, message, hint, cause }: Fault, end: string): Fault {
  return new Fault(code, { message: `${message}; ${end}`, hint, cause });
}
