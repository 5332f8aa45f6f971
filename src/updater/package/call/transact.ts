import type { CommandResult } from "../../../machine/processes/command.ts";

/** One package-manager call that writes. */
type TransactionCommand = {
  readonly argv: readonly [string, ...string[]];
  /** The manager's whole environment. Only the agent's environment file is added. */
  readonly env: Readonly<Record<string, string>>;
  /** What the call is for, in a few words, for people who list processes and units. */
  readonly what: string;
  /** "apart": programs read its output, so it stays out of the journal. */
  readonly output?: "journal" | "apart";
};

/**
 * Runs one package-manager call that may write, and returns what it printed. Uses a transaction unit on a booted host, and no unit below another
 * root.
 */
export type Transact = (command: TransactionCommand) => Promise<CommandResult>;
