import type { Move, Stay } from "./decision.ts";
import type { Facts } from "./facts.ts";
import type { Policy } from "./policy.ts";
import type { Movement } from "./target.ts";

export type Situation = { readonly facts: Facts; readonly policy: Policy; readonly target: Movement };

/** What a gate can say. */
export type Passage = Stay | Move;

/** One row of the design's table: a decision, or nothing said. */
export type Gate = (situation: Situation) => Passage | undefined;
