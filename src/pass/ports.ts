import type { Log } from "../host/log.ts";
import type { Detected } from "../package/detect.ts";
import type { ClockReading } from "../plan/clock.ts";
import type { AgentCondition, Binary, ChannelAnswer } from "../plan/facts.ts";
import type { AgentRecord, State, StepName, StepTime } from "../record/state.ts";
import type { Version } from "../version/version.ts";
import type { Schedule } from "../window/schedule.ts";
import type { UnixSeconds } from "../window/window.ts";

/** What looking at the host and asking the channel take. A dry run has these and no more. */
export type Observers = {
  readonly builtAt: UnixSeconds;
  readonly readClock: () => ClockReading;
  readonly readSchedule: () => Promise<Schedule>;
  readonly findManager: () => Promise<Detected>;
  readonly askBinary: () => Promise<Binary>;
  readonly watchAgent: (previous: AgentRecord | undefined) => Promise<AgentCondition>;
  /** The installed version may still be under way: only the question whether an update is critical needs it. */
  readonly askChannel: (installed: Promise<Version | undefined>) => Promise<ChannelAnswer>;
};

/** What changing the host takes besides. */
export type Actors = {
  readonly passId: string;
  readonly log: Log;
  /** How often systemd has restarted the agent's unit in this boot. */
  readonly countRestarts: () => Promise<Pick<AgentRecord, "bootId" | "restarts"> | undefined>;
  /** A step that begins, with all that have ended before it; or, without one in hand, the end of the last. */
  readonly showSteps: (done: readonly StepTime[], inHand: StepName | undefined) => void;
  /** Journals: what is written here survives a kill of the very next instruction. */
  readonly saveState: (state: State) => void;
  /**
   * Looks at the agent's unit before the transaction. What comes back makes it run the installed file afterwards, and tells in
   * words how.
   */
  readonly watchUnit: () => Promise<() => Promise<string>>;
  /** Raised when the pass is asked to stop: the step in hand is finished and nothing new begun. */
  readonly stopping: AbortSignal;
};
