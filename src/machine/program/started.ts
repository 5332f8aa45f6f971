import { writeToStandardError, writeToStandardOutput } from "./standard-streams.ts";

/** The process; only an entry file uses it. */
type Started = Pick<NodeJS.Process, "argv" | "env" | "on">;

export type StartedProgram = {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  /** Raised by SIGTERM and SIGINT. */
  readonly stopping: AbortSignal;
};

/** What every program of a cluster starts with. */
export function startedWith(started: Started): StartedProgram {
  const stopping = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) started.on(signal, () => stopping.abort());
  return {
    argv: started.argv.slice(2),
    environment: started.env,
    out: writeToStandardOutput,
    error: writeToStandardError,
    stopping: stopping.signal,
  };
}
