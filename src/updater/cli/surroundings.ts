/** All that the process was given, read once by the entry file. */
export type Surroundings = {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly userId: number;
  /** Answers. */
  readonly out: (text: string) => void;
  /** The log, and nothing else. */
  readonly error: (text: string) => void;
  /** Colour, and lines as wide as it is, are for a terminal alone. */
  readonly stdoutIs: "terminal" | "other";
  /** In the journal lines carry their priority. */
  readonly stderrIs: "journal" | "terminal" | "other";
  /** Raised by SIGTERM, SIGINT and SIGHUP. */
  readonly stopping: AbortSignal;
};
