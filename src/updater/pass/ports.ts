import type { Log } from "../../machine/logging/log.ts";
import type { Detected } from "../package/manager/detect.ts";
import type { ClockReading } from "../../rules/decide/clock-verdict.ts";
import type { MoveReason } from "../plan/host-decision.ts";
import type { ChannelAnswer } from "../../rules/decide/gate-facts.ts";
import type { AgentCondition, Binary } from "../plan/host-facts.ts";
import type { Orders } from "../plan/may-still-begin.ts";
import type { History } from "../record/history.ts";
import type { Ended } from "../record/notifications.ts";
import type { Companion } from "../record/ledger.ts";
import type { AgentRecord, KeptPackage, State, StepName, StepTime } from "../record/state.ts";
import type { PackageVersion } from "../../rules/version/wrapped.ts";
import type { Version } from "../../rules/version/version.ts";
import type { Await } from "../unit/await-transaction.ts";
import type { Schedule } from "../../rules/window/schedule.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

/** What a pass needs to look at the host and ask the channel. A dry run has only these. */
export type Observers = {
  readonly builtAt: UnixSeconds;
  readonly readClock: () => ClockReading;
  readonly readSchedule: () => Promise<Schedule>;
  readonly findManager: () => Promise<Detected>;
  readonly askBinary: () => Promise<Binary>;
  readonly watchAgent: (previous: AgentRecord | undefined) => Promise<AgentCondition>;
  /** Does not wait for the installed version, which only matters for whether an update is critical. */
  readonly askChannel: (installed: Promise<Version | undefined>) => Promise<ChannelAnswer>;
};

/** The agent's unit around a change of its package. */
export type UnitWatch = {
  /** The agent's condition just before the change. */
  readonly before: AgentCondition;
  /** Makes the unit run the installed file, and says how. A unit that an administrator stopped stays stopped. */
  readonly activate: () => Promise<string>;
  /** Watches the unit settle, then runs the administrator's command. Throws `unhealthy` if either fails. A stopped unit has nothing to prove. */
  readonly proveHealth: () => Promise<void>;
  /** The unit's last lines from the journal, for the fault. Never throws, because the lines only add detail. */
  readonly lastLines: () => Promise<readonly string[]>;
};

/** What is known of a change that another pass began. */
export type ChangeBegun = { readonly before: AgentCondition; readonly since: UnixSeconds };

/** The package file of one exact version. "installed": the version on the host; "offered": one that may replace it. */
export type WantedFile = {
  readonly version: PackageVersion;
  readonly is: "installed" | "offered";
  /** The target of the move, because the packages that it takes along are kept too. */
  readonly to: PackageVersion;
};

/** Installs a fetched or a kept package. `why` is the reason for the move. */
export type Installation = { readonly to: PackageVersion; readonly from: "offered" | "kept"; readonly why: MoveReason };

/** Changes the host, and sees what only root can see. On a booted host the acting unit does this. Throws failures as Faults. */
export type ActingSide = {
  /** Refreshes only the lists of sources that offer the package. */
  readonly refresh: () => Promise<void>;
  /** Refuses a plan that removes anything, or touches more than the package and its dependencies. */
  readonly simulate: (to: PackageVersion) => Promise<void>;
  /** Fetches the files of all planned packages. Refuses a file that is not the package which it is offered as. */
  readonly bring: (to: PackageVersion) => Promise<void>;
  /** Keeps the package's file and those of its companions, after the new version's. Refuses a version that could not be put back. */
  readonly keep: (wanted: WantedFile) => Promise<KeptPackage>;
  /** Removes all other kept files. */
  readonly keepOnly: (versions: readonly PackageVersion[]) => Promise<void>;
  /**
   * The first installation of a move passes the gates again. After that, its two versions may be installed without them until the move is settled.
   */
  readonly install: (installation: Installation) => Promise<void>;
  /** Restores a hold that an unfinished change had lifted; an existing hold stays. */
  readonly holdAgain: () => Promise<void>;
  /** Ends a transaction that was cut off half-way, as far as the package manager can do so alone. */
  readonly mend: () => Promise<void>;
  /** Closes the open move, and lets the acting unit keep what it learnt. Call it when the pass has ended and is recorded. */
  readonly settle: () => Promise<void>;
  /** Waits for a transaction that outlived its pass. */
  readonly awaitTransaction: (how: Await) => Promise<void>;
  /** Looks at the agent's unit before the transaction, or continues for a pass that did. */
  readonly watchUnit: (begun?: ChangeBegun) => Promise<UnitWatch>;
};

/** How a notification's command ended, or that it still runs. */
export type NotificationEnd = { readonly id: string } & Ended;

/** Starts the command that is told of events. */
export type Notifier = {
  /**
   * Starts the command without waiting for its end. Takes the event as `encodeEvent` writes it, so that a pass without events need not load its form.
   */
  readonly start: (event: string) => Promise<"started" | "busy" | "not set">;
  readonly ends: (ids: readonly string[]) => Promise<readonly NotificationEnd[]>;
};

/** What a pass needs besides the observers, to change the host. */
export type Actors = {
  readonly passId: string;
  readonly log: Log;
  /** How often systemd has restarted the agent's unit since the boot. "as seen": the number at the last look, if there was one. */
  readonly countRestarts: (when: "as seen" | "now") => Promise<Pick<AgentRecord, "bootId" | "restarts"> | undefined>;
  /** Shows the finished steps and the current one. If `inHand` is undefined, the last step has ended. */
  readonly showSteps: (done: readonly StepTime[], inHand: StepName | undefined) => void;
  /** Saves the state so that it survives a kill at the next instruction. */
  readonly saveState: (state: State) => void;
  /** Records a move. Call it before the state says how the move ended. Never throws. */
  readonly changeHistory: (change: (before: History) => History) => Promise<void>;
  readonly acting: ActingSide;
  /** Undefined where no units can be started. */
  readonly notifier: Notifier | undefined;
  /** Whether a move is still open, because its pass was cut off after its end. */
  readonly isUnsettled: () => boolean;
  /** The packages that the current move takes along, as the acting side wrote them down. */
  readonly movedAlong: () => readonly Companion[];
  /** Why the version before the last move could not be kept. */
  readonly whyNotKept: (version: PackageVersion) => string | undefined;
  /** Whether a kept package and those that moved along are unchanged; if not, why. */
  readonly checkKept: (kept: KeptPackage) => { readonly kind: "whole" } | { readonly kind: "unusable"; readonly why: string };
  /** Whether the host is going down. A failure then says nothing, and a new step would not finish. */
  readonly isGoingDown: () => Promise<boolean>;
  /** The hold and the pin in the settings now, including changes since the pass began. */
  readonly readOrders: () => Promise<Orders>;
  /** Raised when the pass is asked to stop: it finishes the step in hand and begins nothing new. */
  readonly stopping: AbortSignal;
};
