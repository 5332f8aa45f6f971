import type { CommandResult } from "../../../machine/processes/command.ts";

/** One package-manager call that writes. */
type TransactionCommand = {
  readonly argv: readonly [string, ...string[]];
  /** All that the manager is given; the adapter adds nothing but what its admin's environment file says. */
  readonly env: Readonly<Record<string, string>>;
  /** What it is for, in a few words, for people who list processes and units. */
  readonly what: string;
  /** "apart": what it prints is written for programs, and does not go by in the journal. */
  readonly output?: "journal" | "apart";
};

/**
 * Runs one package-manager call with the right to write, and brings back what it printed.
 * On a booted host that is the transaction unit; below another root, the call itself.
 */
export type Transact = (command: TransactionCommand) => Promise<CommandResult>;
