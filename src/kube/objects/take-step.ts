import { advance } from "./advance.ts";
import type { Advance, MovePolicy, MoveSight } from "./move-step.ts";
import type { Standing } from "./move-memory.ts";
import { leftToOthers, suspended } from "./object-gates.ts";
import type { ObjectPolicy } from "./object-facts.ts";
import { noteReset, type ResetSight } from "./tool-reset.ts";

export type StepSight = MoveSight & ResetSight & Pick<ObjectPolicy, "mode">;

export type Step = {
  readonly standing: Standing;
  /** The step of the current move; undefined without a move. */
  readonly taken: Advance | undefined;
};

/** Takes one step of the current move, and notes what tools did meanwhile. */
export function takeStep(standing: Standing, sight: StepSight, policy: MovePolicy): Step {
  const noted = withResets(standing, sight);
  const taken = advanced(noted, sight, policy);
  if (taken === undefined || taken.said !== undefined) return { standing: taken?.standing ?? noted, taken };
  // A tool may have ended the move.
  const after = withResets(taken.standing, sight);
  const again = advanced(after, sight, policy);
  return again === undefined ? { standing: after, taken } : { standing: again.standing, taken: again };
}

function withResets(standing: Standing, sight: StepSight): Standing {
  const { object, mode } = sight;
  const isLeft = suspended(object) !== undefined || leftToOthers(object, mode) !== undefined;
  return isLeft ? standing : noteReset(standing, sight);
}

function advanced(standing: Standing, sight: MoveSight, policy: MovePolicy): Advance | undefined {
  const { move } = standing;
  return move && advance({ ...standing, move }, sight, policy);
}
