import type { Command, CommandResult, RunCommand } from "./command.ts";
import { stopwatch as realStopwatch, type Stopwatch } from "../clocks/stopwatch.ts";

/**
 * An upgrade of systemd makes PID 1 execute itself again. It breaks off every connection, and answers again once it has read all its
 * units: after tenths of a second, with hundreds of units on a slow disk after seconds.
 */
export const longestAwayMs = 10_000;
const betweenAsksMs = 200;

/** Runs a question to systemd, and again while systemd is not there to answer. Only what may be done twice is asked like this. */
export function askingAgain(run: RunCommand, stopwatch: Stopwatch = realStopwatch): RunCommand {
  return (command) => askAgain(() => run(command), { isUnheard: (result) => isCutOff(result, command), stopwatch });
}

export type AskAgain = {
  readonly isUnheard: (result: CommandResult) => boolean;
  readonly stopwatch?: Stopwatch;
};

/** The first answer that was heard; where there is none for too long, what was said instead of one. */
export async function askAgain(
  ask: () => Promise<CommandResult>,
  { isUnheard, stopwatch = realStopwatch }: AskAgain,
): Promise<CommandResult> {
  const deadlineMs = stopwatch.nowMs() + longestAwayMs;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- the point is to ask again
    const result = await ask();
    if (!isUnheard(result) || stopwatch.nowMs() >= deadlineMs) return result;
    // oxlint-disable-next-line no-await-in-loop -- the point is to wait in between
    await stopwatch.wait(betweenAsksMs);
  }
}

/** Whether the connection to PID 1 could not be made, or ended before the answer; or somebody ended the program that asks. */
export function isCutOff(result: CommandResult, { signal }: Pick<Command, "signal"> = {}): boolean {
  if (result.kind === "killed") return signal?.aborted !== true;
  return result.kind === "exited" && result.status !== 0 && isAway(result.stderr);
}

/** What systemd's tools say of a connection that is lost, whatever they were asked; the same on systemd 247, 252 and 257. */
export function isAway(said: string): boolean {
  return /Connection re(?:fused|set by peer)|Transport endpoint is not connected|Broken pipe|disconnected from message bus without replying|D-Bus connection terminated/.test(
    said,
  );
}
