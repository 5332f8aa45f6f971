/** All that the process was given, read once by the entry file. */
export type Surroundings = {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly userId: number;
  /** Answers. */
  readonly out: (text: string) => void;
  /** The log, and nothing else. */
  readonly error: (text: string) => void;
  /** Whether stderr is the journal's own socket: then lines carry their priority. */
  readonly stderrIs: "journal" | "other";
  /** Raised by SIGTERM, SIGINT and SIGHUP. */
  readonly stopping: AbortSignal;
};
