import { isatty } from "node:tty";
import { writeToStandardError, writeToStandardOutput } from "./standard-streams.ts";

/** The process; only an entry file uses it. */
type Started = Pick<NodeJS.Process, "argv" | "env" | "on">;

export type StartedProgram = {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  /** Whether `out` is read by a person. */
  readonly isTerminal: boolean;
  /** Raised by SIGTERM and SIGINT. */
  readonly stopping: AbortSignal;
};

/** Reads what a program needs of its process. SIGTERM and SIGINT raise `stopping`. */
export function startedWith(started: Started): StartedProgram {
  const stopping = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) started.on(signal, () => stopping.abort());
  return {
    argv: started.argv.slice(2),
    environment: started.env,
    out: writeToStandardOutput,
    error: writeToStandardError,
    isTerminal: isatty(1),
    stopping: stopping.signal,
  };
}
