import type { Command, CommandResult, RunCommand } from "./command.ts";
import { stopwatch as realStopwatch, type Stopwatch } from "../clocks/stopwatch.ts";

/**
 * How long PID 1 may be away. An upgrade of systemd makes it execute itself again, which drops every connection. It answers when it has read its
 * units: after tenths of a second, or after seconds with hundreds of units on a slow disk.
 */
export const longestAwayMs = 10_000;
const betweenAsksMs = 200;

/** Asks systemd, and asks again while PID 1 is away. Only for commands that may run twice. */
export function askingAgain(run: RunCommand, stopwatch: Stopwatch = realStopwatch): RunCommand {
  return (command) => askAgain(() => run(command), { isUnheard: (result) => isCutOff(result, command), stopwatch });
}

export type AskAgain = {
  readonly isUnheard: (result: CommandResult) => boolean;
  readonly stopwatch?: Stopwatch;
};

/** Asks until systemd answers. After too long, returns the last failure. */
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

/** Whether the connection to PID 1 failed or ended before the answer, or the asking program was killed. */
export function isCutOff(result: CommandResult, { signal }: Pick<Command, "signal"> = {}): boolean {
  if (result.kind === "killed") return signal?.aborted !== true;
  return result.kind === "exited" && result.status !== 0 && isAway(result.stderr);
}

/** Whether systemd's tool lost its connection. systemd 247, 252 and 257 print the same. */
export function isAway(said: string): boolean {
  return /Connection re(?:fused|set by peer)|Transport endpoint is not connected|Broken pipe|disconnected from message bus without replying|D-Bus connection terminated/.test(
    said,
  );
}
