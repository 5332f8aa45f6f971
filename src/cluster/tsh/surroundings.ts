import type { InputLines } from "./input-lines.ts";
import type { Terminal } from "./terminal.ts";

/** The process's inputs, read once by the entry file. */
export type TshSurroundings = {
  readonly argv: readonly string[];
  /** The words that call this program again. */
  readonly self: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Answers only. */
  readonly out: (text: string) => void;
  /** Everything but answers. */
  readonly error: (text: string) => void;
  /** Raised by SIGTERM and SIGINT. */
  readonly stopping: AbortSignal;
  /** The person's terminal; undefined if there is none. */
  readonly terminal: () => Promise<Terminal | undefined>;
  readonly standardInput: () => Promise<InputLines>;
};
