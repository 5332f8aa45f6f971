/** The process's inputs, read once by the entry file. */
export type ServerSurroundings = {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly processId: number;
  /** Answers only. */
  readonly out: (text: string) => void;
  /** The log only. */
  readonly error: (text: string) => void;
  /** Lines for the journal begin with their priority. */
  readonly stderrIs: "journal" | "other";
  /** Raised by SIGTERM and SIGINT. */
  readonly stopping: AbortSignal;
  /** Sets the listener for SIGHUP. */
  readonly onHangUp: (listener: () => void) => void;
};
