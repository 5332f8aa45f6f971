import type { RunCommand } from "../../machine/processes/command.ts";
import { toolEnvironment } from "./environment.ts";
import type { Stopwatch } from "../../machine/clocks/stopwatch.ts";
import { lookArgv } from "./transaction-argv.ts";
import { withoutTrace, type TransactionEnd } from "./transaction-end.ts";

/** "under way": it had not ended when the time was up. */
export type Followed = TransactionEnd | "under way";

export type FollowingTransaction = {
  readonly id: string;
  readonly run: RunCommand;
  readonly stopwatch: Stopwatch;
  /** What the unit has written of that transaction's end, if it has. */
  readonly readEnd: () => TransactionEnd | undefined;
};

/** To look into a file that is not there costs next to nothing. */
const betweenReadsMs = 25;
/** To ask PID 1 takes a program. */
const betweenLooksMs = 1000;
const lookTimeoutMs = 20_000;

/**
 * Waits until the transaction is over, which is so when its unit is gone: known from PID 1 alone, which root reaches without the
 * bus. Where it cannot be asked, as while it executes itself again, it is asked again.
 */
export async function followTransaction(following: FollowingTransaction, deadlineMs: number): Promise<Followed> {
  const { stopwatch, readEnd } = following;
  for (;;) {
    if ((await lookAt(following)) === "gone") return readEnd() ?? withoutTrace;
    if (stopwatch.nowMs() >= deadlineMs) return "under way";
    await untilNextLook(following);
  }
}

/** "unknown": PID 1 gave no answer. */
export async function lookAt({ id, run }: Pick<FollowingTransaction, "id" | "run">): Promise<"there" | "gone" | "unknown"> {
  const result = await run({ argv: lookArgv, env: toolEnvironment, timeoutMs: lookTimeoutMs });
  if (result.kind !== "exited" || result.status !== 0) return "unknown";
  // Before it is started it is inactive, and there all the same.
  return /^LoadState=loaded$/m.test(result.stdout) && result.stdout.includes(id) ? "there" : "gone";
}

/** What has written of its end is gone a moment later. */
async function untilNextLook({ stopwatch, readEnd }: FollowingTransaction): Promise<void> {
  const nextMs = stopwatch.nowMs() + betweenLooksMs;
  do {
    // oxlint-disable-next-line no-await-in-loop -- the point is to wait in between
    await stopwatch.wait(betweenReadsMs);
  } while (stopwatch.nowMs() < nextMs && readEnd() === undefined);
}
