/** The process's inputs. The entry file reads them once. */
export type TctlSurroundings = {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Writes answers only. */
  readonly out: (text: string) => void;
  /** Writes faults and remarks, but no answers. */
  readonly error: (text: string) => void;
  /** Whether answers go to a terminal. */
  readonly isTerminal: boolean;
  /** Aborted by SIGTERM and SIGINT. */
  readonly stopping: AbortSignal;
};
