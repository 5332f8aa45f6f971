import type { FaultCode } from "../../../src/rules/fault/table.ts";
import type { StayReason } from "../../../src/updater/plan/host-decision.ts";
import type { Family } from "../lab/base.ts";
import type { ProgramResult } from "../lab/program.ts";
import type { Scene } from "../table/scene.ts";

/** A command of a hint as it was typed, and what came of it. */
export type Typed = { readonly command: string; readonly result: ProgramResult };

/** One fault or one reason to stay on a host: what the program says there, and that what it says helps. */
export type HintRow = {
  readonly of: FaultCode | StayReason;
  /** Undefined: apt's hosts alone, as nothing in it is the package manager's. */
  readonly families?: readonly Family[];
  readonly stage: (scene: Scene) => Promise<unknown>;
  /** The hint as the program prints it there. */
  readonly printed: (scene: Scene) => Promise<string>;
  /** The commands in it, in their order, as they are printed: by the rule of src/rules/fault/commands.ts, and here so that none gets lost. */
  readonly names: readonly (string | RegExp)[];
  /** What somebody puts in for the placeholders of a command. */
  readonly fills?: (scene: Scene) => Readonly<Record<string, string>>;
  /** What the hint says to do besides: in a file, at the version server, in the repository. Done before its commands are typed. */
  readonly byHand?: (scene: Scene) => Promise<unknown>;
  /** Which statuses of its commands are good, where that is not 0 alone. */
  readonly statuses?: readonly number[];
  /** What is different now. */
  readonly helps: (scene: Scene, typed: readonly Typed[]) => Promise<unknown>;
};

/** Why a hint is not typed on a host of the lab. */
export type NotStaged = Readonly<Partial<Record<FaultCode | StayReason, string>>>;
