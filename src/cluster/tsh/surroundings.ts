import type { InputLines } from "./input-lines.ts";
import type { Terminal } from "./terminal.ts";

/** All that the process was given, read once by the entry file. */
export type TshSurroundings = {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Answers. */
  readonly out: (text: string) => void;
  /** What is no answer. */
  readonly error: (text: string) => void;
  /** Raised by SIGTERM and SIGINT. */
  readonly stopping: AbortSignal;
  /** Where the person sits; undefined: nobody does. */
  readonly terminal: () => Promise<Terminal | undefined>;
  readonly standardInput: () => Promise<InputLines>;
};
