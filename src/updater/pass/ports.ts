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

/** The agent's unit around a change of its package. */
export type UnitWatch = {
  /** How it was just before. */
  readonly before: AgentCondition;
  /** Makes it run the installed file, and tells in words how. What an admin had stopped stays stopped. */
  readonly activate: () => Promise<string>;
  /** Watches it settle, then asks the admin's own command. What is not well is thrown as `unhealthy`; a stopped unit has nothing to prove. */
  readonly proveHealth: () => Promise<void>;
  /** Where its last lines in the journal are kept, for whoever may read that. Never throws: it is only colour for a fault. */
  readonly lastLines: () => Promise<readonly string[]>;
};

/** What is known of a change that another pass began. */
export type ChangeBegun = { readonly before: AgentCondition; readonly since: UnixSeconds };

/** The package's file of one exact version. "installed": the one that is on the host now; "offered": one that may be put in its place. */
export type WantedFile = {
  readonly version: PackageVersion;
  readonly is: "installed" | "offered";
  /** Where the move goes: what that takes along is kept with it. */
  readonly to: PackageVersion;
};

/** What puts a package in place: what was brought, or the file that is kept. `why`: of the move that it belongs to. */
export type Installation = { readonly to: PackageVersion; readonly from: "offered" | "kept"; readonly why: MoveReason };

/** What changes the host, and what only root may see: on a booted host the acting unit's work. What fails is thrown as a Fault. */
export type ActingSide = {
  /** Refreshes the lists of those sources alone that offer the package. */
  readonly refresh: () => Promise<void>;
  /** Refuses a plan that removes anything or touches more than the package and what it depends on. */
  readonly simulate: (to: PackageVersion) => Promise<void>;
  /** Has the files of all that is planned at hand, and refuses those that are not the packages that they are offered as. */
  readonly bring: (to: PackageVersion) => Promise<void>;
  /**
   * Brings the package's file, and those of what moves along, into the directory of kept packages: first what a move brings. What could
   * not be put back after it is not kept.
   */
  readonly keep: (wanted: WantedFile) => Promise<KeptPackage>;
  /** Removes every other file of that directory. */
  readonly keepOnly: (versions: readonly PackageVersion[]) => Promise<void>;
  /** The first one of a move passes the gates once more. Until the move is settled, its two versions may be put in place without. */
  readonly install: (installation: Installation) => Promise<void>;
  /** Puts a hold back that a change had lifted which did not finish; one that is there stays. */
  readonly holdAgain: () => Promise<void>;
  /** Ends what a transaction that did not finish has left half-way, as far as the package manager can by itself. */
  readonly mend: () => Promise<void>;
  /** The pass has come to its end, and its record is written: what it moved is not in hand any more, and what it learnt may be kept. */
  readonly settle: () => Promise<void>;
  /** Waits for a transaction that outlived the pass that began it. */
  readonly awaitTransaction: (how: Await) => Promise<void>;
  /** Looks at the agent's unit before the transaction; or takes over from a pass that did. */
  readonly watchUnit: (begun?: ChangeBegun) => Promise<UnitWatch>;
};

/** How the command that was started for one event has ended, or that it has not. */
export type NotificationEnd = { readonly id: string } & Ended;

/** The command that is told of events. */
export type Notifier = {
  /** Does not wait for its end. The event as `encodeEvent` writes it: what is not sent needs no form. */
  readonly start: (event: string) => Promise<"started" | "busy" | "not set">;
  readonly ends: (ids: readonly string[]) => Promise<readonly NotificationEnd[]>;
};

/** What changing the host takes besides. */
export type Actors = {
  readonly passId: string;
  readonly log: Log;
  /** How often systemd has restarted the agent's unit in this boot; "as seen": when it was looked at, where that has told it. */
  readonly countRestarts: (when: "as seen" | "now") => Promise<Pick<AgentRecord, "bootId" | "restarts"> | undefined>;
  /** A step that begins, with all that have ended before it; or, without one in hand, the end of the last. */
  readonly showSteps: (done: readonly StepTime[], inHand: StepName | undefined) => void;
  /** Journals: what is written here survives a kill of the very next instruction. */
  readonly saveState: (state: State) => void;
  /** For moves alone, and before the state that says how they ended. Never throws. */
  readonly changeHistory: (change: (before: History) => History) => Promise<void>;
  readonly acting: ActingSide;
  /** Undefined: units are not started here. */
  readonly notifier: Notifier | undefined;
  /** Whether a move is open there that nobody has in hand any more, because its pass was ended just then. */
  readonly isUnsettled: () => boolean;
  /** What the move in hand takes along, by what the acting side has written down. */
  readonly movedAlong: () => readonly Companion[];
  /** Why the version that the last move has left could not be kept. */
  readonly whyNotKept: (version: PackageVersion) => string | undefined;
  /** Whether a kept package, with what moved along, is still what it was when it was put there; else why not. */
  readonly checkKept: (kept: KeptPackage) => { readonly kind: "whole" } | { readonly kind: "unusable"; readonly why: string };
  /** Whether the whole host is on its way down: what fails then says nothing, and what is begun then does not finish. */
  readonly isGoingDown: () => Promise<boolean>;
  /** The hold and the pin as the settings say them at this moment: those that were set since the pass began count too. */
  readonly readOrders: () => Promise<Orders>;
  /** Raised when the pass is asked to stop: the step in hand is finished and nothing new begun. */
  readonly stopping: AbortSignal;
};
