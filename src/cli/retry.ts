import { readClock } from "../host/clock.ts";
import { pathsBelow } from "../host/paths.ts";
import { loadState, withLock } from "../pass/conduct.ts";
import { forgetFailures } from "../record/remember.ts";
import type { State } from "../record/state.ts";
import { writeState } from "../store/state-file.ts";
import type { CommandContext } from "./dry-run.ts";
import type { SharedOptions } from "./program.ts";
import { needsRoot } from "./run.ts";

/** Clears what earlier failures hold back. It starts nothing: the next pass decides anew. */
export async function retry(options: SharedOptions, { surroundings, log }: CommandContext): Promise<number> {
  const paths = pathsBelow(options.root);
  if (paths.root === "/" && surroundings.userId !== 0) throw needsRoot();
  const cleared = await withLock(paths, "retry", async () => {
    // An unreadable state is put aside here as well, and asks for a person; this is one.
    const state = loadState(paths, readClock().now, log);
    writeState(paths.state, forgetFailures(state));
    return held(state);
  });
  const next = "the next pass decides anew; for one at once: svc-upgrade run --now";
  surroundings.out(
    options.json
      ? `${JSON.stringify({ schema: 1, cleared })}\n`
      : `${cleared.length === 0 ? "nothing was held back" : `cleared: ${cleared.join("; ")}`}; ${next}\n`,
  );
  return 0;
}

/** What held the agent back, in words. */
function held({ needsOperator, rejected, backoff }: State): readonly string[] {
  return [
    ...(needsOperator === undefined ? [] : [needsOperator.why]),
    ...rejected.map(({ packageVersion, why }) => `${packageVersion} was rejected: ${why}`),
    ...(backoff === undefined ? [] : [`waiting after: ${backoff.cause.message}`]),
  ];
}
