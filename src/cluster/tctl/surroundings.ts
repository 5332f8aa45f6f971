/** All that the process was given, read once by the entry file. */
export type TctlSurroundings = {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Answers. */
  readonly out: (text: string) => void;
  /** What is no answer: faults, and what besides should be known. */
  readonly error: (text: string) => void;
  /** Raised by SIGTERM and SIGINT. */
  readonly stopping: AbortSignal;
};
