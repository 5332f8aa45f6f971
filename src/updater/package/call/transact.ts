import type { CommandResult } from "../../../machine/processes/command.ts";

/** One package-manager call that writes. */
type TransactionCommand = {
  readonly argv: readonly [string, ...string[]];
  /** The manager's whole environment; the adapter adds only the agent's environment file. */
  readonly env: Readonly<Record<string, string>>;
  /** Its purpose in a few words, for people who list processes and units. */
  readonly what: string;
  /** "apart": its output is for programs and stays out of the journal. */
  readonly output?: "journal" | "apart";
};

/**
 * Runs one package-manager call that may write, and returns what it printed: in a transaction unit on a booted host, directly below another
 * root.
 */
export type Transact = (command: TransactionCommand) => Promise<CommandResult>;
