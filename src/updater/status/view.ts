import { damageIn } from "../plan/target.ts";
import { emptyState, type State } from "../record/state.ts";
import type { Window } from "../../rules/window/window.ts";
import { nextOf, type Next } from "./next.ts";
import { openingsOf } from "./openings.ts";
import type { Observed } from "./observed.ts";
import { standingOf, type OverallState } from "./overall.ts";

/** What the status says about a host: what was seen, and what follows from it. */
export type StatusView = {
  readonly seen: Observed;
  /** What earlier passes left; empty if it could not be read. */
  readonly memory: State;
  readonly standing: OverallState;
  readonly next: Next;
  /** What is broken on the host, in words. Shown even if the host has a reason to wait. */
  readonly damage: string | undefined;
  readonly openings: readonly Window[];
};

export function viewOf(seen: Observed): StatusView {
  const { basis, state, settings, schedule, now } = seen;
  const memory = state.kind === "state" ? state.state : emptyState;
  const next = nextOf(seen);
  return {
    seen,
    memory,
    next,
    standing: standingOf(seen, next, memory),
    damage: basis.kind === "fault" ? undefined : damageIn(basis.facts.installed, basis.facts.binary),
    openings: openingsOf(settings?.settings, schedule.schedule, now),
  };
}
