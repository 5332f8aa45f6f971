import type { ClockReading } from "../../rules/decide/clock-verdict.ts";
import type { Build } from "../../rules/decide/gate-facts.ts";
import type { AgentCondition, Facts } from "../plan/host-facts.ts";
import type { PackageVersion } from "../../rules/version/wrapped.ts";
import type { AgentRecord, PassRecord } from "./state.ts";

/** All of a pass that later ones need to know. */
export type FinishedPass = {
  readonly record: PassRecord;
  readonly facts: Facts;
  readonly clock: ClockReading;
  /** The unit as systemd counts it at the end of the pass; undefined where it could not be seen. */
  readonly unit: Pick<AgentRecord, "bootId" | "restarts"> | undefined;
  /** The exact package that was to be installed, where the pass came so far. */
  readonly installing: PackageVersion | undefined;
  /** The file of it, where one was kept. */
  readonly build?: Build | undefined;
  /** How the agent was just before the package was changed; undefined where it was not. */
  readonly agentBefore: AgentCondition | undefined;
};
