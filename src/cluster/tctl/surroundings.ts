/** The process's inputs, read once by the entry file. */
export type TctlSurroundings = {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Answers only. */
  readonly out: (text: string) => void;
  /** Faults and remarks, no answers. */
  readonly error: (text: string) => void;
  /** Whether answers go to a terminal. */
  readonly isTerminal: boolean;
  /** Raised by SIGTERM and SIGINT. */
  readonly stopping: AbortSignal;
};
