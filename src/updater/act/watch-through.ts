import type { ChangeBegun, UnitWatch } from "../pass/ports.ts";
import type { AgentCondition } from "../plan/host-facts.ts";
import type { AgentRecord } from "../record/state.ts";
import type { ToActivate } from "../unit/activate.ts";
import { momentOf, thisMoment, type Moment } from "../unit/moment.ts";

/** What is done with the agent's unit around a change of its package. Calls share no state. */
export type UnitActs = {
  /** The unit's condition as systemd sees it. `seen` is what the last pass saw. */
  readonly condition: (seen: AgentRecord | undefined) => Promise<AgentCondition>;
  /** The unit's condition before a change. It is measured in the same way after the change. */
  readonly look: (seen: AgentRecord | undefined) => Promise<AgentCondition>;
  /** How often systemd has restarted the unit. */
  readonly restarts: () => Promise<number>;
  readonly activate: (wanted: Pick<ToActivate, "before" | "since" | "begunBy">) => Promise<string>;
  readonly proveHealth: (before: AgentCondition) => Promise<void>;
  /** The unit's last lines, or the name of the file that has them. */
  readonly lastLines: (since: Moment) => Promise<readonly string[]>;
};

/** Watches the agent's unit around a change of its package. `begun`: another pass began the change and did not end it. */
export async function watchThrough(acts: UnitActs, seen: AgentRecord | undefined, begun?: ChangeBegun): Promise<UnitWatch> {
  const before = begun?.before ?? (await acts.look(seen));
  const now = thisMoment();
  const since = begun === undefined ? now : momentOf(begun.since, now);
  const begunBy = begun === undefined ? "this pass" : "another pass";
  return {
    before,
    activate: () => acts.activate({ before, since, begunBy }),
    proveHealth: () => acts.proveHealth(before),
    lastLines: () => acts.lastLines(since),
  };
}

/** For a host whose agent's unit is not managed. It has nothing to prove. */
export function unwatched(told: string): UnitActs {
  return {
    condition: () => Promise.resolve("unknown"),
    look: () => Promise.resolve("unknown"),
    restarts: () => Promise.resolve(0),
    activate: () => Promise.resolve(told),
    proveHealth: () => Promise.resolve(),
    lastLines: () => Promise.resolve([]),
  };
}
