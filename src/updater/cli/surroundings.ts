/** Everything that the process was given, read once by the entry file. */
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
  /** The journal gets lines with their priority. */
  readonly stderrIs: "journal" | "terminal" | "other";
  /** Raised by SIGTERM, SIGINT and SIGHUP. */
  readonly stopping: AbortSignal;
};
