import type { InputLines } from "./input-lines.ts";
import type { Terminal } from "./terminal.ts";

/** The process's inputs. The entry file reads them once. */
export type TshSurroundings = {
  readonly argv: readonly string[];
  /** The command line that calls this program again. */
  readonly self: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Writes answers to standard output. */
  readonly out: (text: string) => void;
  /** Writes everything else to standard error. */
  readonly error: (text: string) => void;
  /** Aborted by SIGTERM and SIGINT. */
  readonly stopping: AbortSignal;
  /** Opens the person's terminal; undefined if there is none. */
  readonly terminal: () => Promise<Terminal | undefined>;
  readonly standardInput: () => Promise<InputLines>;
};
