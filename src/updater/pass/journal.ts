import { Fault } from "../../rules/fault/fault.ts";
import type { KeptPackage, State, StepInHand, StepName, StepTime } from "../record/state.ts";
import { refuseWhenGoingDown } from "./left-in-hand.ts";
import type { Actors, Observers } from "./ports.ts";

/** Writes each step down before it begins, so that the next pass knows what this one did, whatever happens. */
export type Journal = {
  /** Runs a step, unless the process was asked to stop. */
  readonly begin: <T>(step: StepName, work: () => Promise<T>) => Promise<T>;
  /** Runs a step of a change that has begun, even if the process was asked to stop. */
  readonly finish: <T>(step: StepName, work: () => Promise<T>) => Promise<T>;
  /** Notes what became known since the last step. It is written with the next step. */
  readonly note: (known: Known) => void;
  readonly inHand: () => StepInHand;
  readonly kept: () => readonly KeptPackage[];
  /** The steps so far. A failed step is the last one. */
  readonly done: () => readonly StepTime[];
};

type Known = Partial<Pick<StepInHand, "to" | "agentBefore" | "changingSince" | "hold" | "cause">> & {
  readonly kept?: readonly KeptPackage[];
};

/** `begun` names the move, and how far an earlier pass came with it. */
export function openJournal(begun: StepInHand, state: State, ports: Observers & Actors): Journal {
  let inHand = begun;
  let { kept } = state;
  const done = [...begun.done];

  async function finish<T>(step: StepName, work: () => Promise<T>): Promise<T> {
    await refuseWhenGoingDown(ports);
    const { now: startedAt, sinceBootSeconds } = ports.readClock();
    inHand = { ...inHand, step, startedAt, done: [...done] };
    ports.saveState({ ...state, kept, step: inHand });
    ports.showSteps(inHand.done, step);
    try {
      return await work();
    } finally {
      const ms = Math.max(0, Math.round((ports.readClock().sinceBootSeconds - sinceBootSeconds) * 1000));
      done.push({ step, ms });
      ports.showSteps([...done], undefined);
      ports.log("debug", `${step} ended`, { ms, package: inHand.to });
    }
  }

  return {
    async begin(step, work) {
      if (ports.stopping.aborted) throw stopped(step);
      return finish(step, work);
    },
    finish,
    note({ kept: keptNow = kept, ...known }) {
      kept = keptNow;
      inHand = { ...inHand, ...known };
    },
    inHand: () => inHand,
    kept: () => kept,
    done: () => done,
  };
}

function stopped(step: StepName): Fault {
  return new Fault("stopping", {
    message: `the pass was asked to stop before the step ${step}`,
    hint: "nothing to do: the next pass goes on from here",
  });
}
