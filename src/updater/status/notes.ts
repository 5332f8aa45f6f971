import { asFault } from "../../rules/fault/explain.ts";
import type { Log } from "../../machine/logging/log.ts";

/** What could not be seen is said in the answer itself, a line each: it is no failure of whoever only looks. */
export type Notes = {
  readonly lines: readonly string[];
  readonly add: (line: string) => void;
  /** For what is used to write its warnings to a log. */
  readonly log: Log;
  /** Undefined where it fails, and a line. */
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
