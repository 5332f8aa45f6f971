import { asFault } from "../../rules/fault/explain.ts";
import type { Log } from "../../machine/logging/log.ts";

/** A line for each thing that could not be seen. The answer itself shows them: they are no failure of the command. */
export type Notes = {
  readonly lines: readonly string[];
  readonly add: (line: string) => void;
  /** For functions that write their warnings to a log. */
  readonly log: Log;
  /** If the work fails: undefined, and a line is added. */
  readonly attempt: <T>(work: Promise<T>) => Promise<T | undefined>;
};

export function takeNotes(): Notes {
  const lines: string[] = [];
  const add = (line: string): void => {
    if (!lines.includes(line)) lines.push(line);
  };
  return {
    lines,
    add,
    log: (_level, sentence, fields = {}) => add([sentence, ...Object.values(fields)].join(": ")),
    async attempt(work) {
      try {
        return await work;
      } catch (thrown) {
        add(asFault(thrown).message);
        return undefined;
      }
    },
  };
}
