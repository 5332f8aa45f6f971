/** All that the process was given, read once by the entry file. */
export type ServerSurroundings = {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly processId: number;
  /** Answers. */
  readonly out: (text: string) => void;
  /** The log, and nothing else. */
  readonly error: (text: string) => void;
  /** In the journal lines carry their priority. */
  readonly stderrIs: "journal" | "other";
  /** Raised by SIGTERM and SIGINT. */
  readonly stopping: AbortSignal;
  /** Called by SIGHUP, once somebody wants to hear of it. */
  readonly onHangUp: (listener: () => void) => void;
};
