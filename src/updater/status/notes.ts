import { asFault } from "../../rules/fault/explain.ts";
import type { Log } from "../../machine/logging/log.ts";

/** Lines about what could not be seen. The answer shows them, and the command does not fail because of them. */
export type Notes = {
  readonly lines: readonly string[];
  readonly add: (line: string) => void;
  /** A log for functions that write their warnings to one. */
  readonly log: Log;
  /** Awaits the work. If it fails, returns undefined and adds a line. */
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
