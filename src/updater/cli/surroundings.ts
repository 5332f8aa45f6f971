/** Everything that the process was given. The entry file reads it once. */
export type Surroundings = {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly userId: number;
  /** Writes a command's answer to standard output. */
  readonly out: (text: string) => void;
  /** Writes a line of the log to standard error. */
  readonly error: (text: string) => void;
  /** Only a terminal gets colour and lines of its width. */
  readonly stdoutIs: "terminal" | "other";
  /** Only the journal gets lines with a priority. */
  readonly stderrIs: "journal" | "terminal" | "other";
  /** Aborted by SIGTERM, SIGINT and SIGHUP. */
  readonly stopping: AbortSignal;
};
