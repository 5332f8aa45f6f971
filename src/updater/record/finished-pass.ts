import type { ClockReading } from "../../rules/decide/clock-verdict.ts";
import type { Build } from "../../rules/decide/gate-facts.ts";
import type { AgentCondition, Facts } from "../plan/host-facts.ts";
import type { PackageVersion } from "../../rules/version/wrapped.ts";
import type { AgentRecord, PassRecord } from "./state.ts";

/** What later passes need to know of a pass. */
export type FinishedPass = {
  readonly record: PassRecord;
  readonly facts: Facts;
  readonly clock: ClockReading;
  /** systemd's count of the unit's restarts at the end of the pass; undefined if it could not be seen. */
  readonly unit: Pick<AgentRecord, "bootId" | "restarts"> | undefined;
  /** The exact package to install, if the pass came that far. */
  readonly installing: PackageVersion | undefined;
  /** The kept file of that package, if there is one. */
  readonly build?: Build | undefined;
  /** The agent's condition just before the change; undefined if nothing changed. */
  readonly agentBefore: AgentCondition | undefined;
};
