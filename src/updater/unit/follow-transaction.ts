import type { RunCommand } from "../../machine/processes/command.ts";
import { toolEnvironment } from "./environment.ts";
import type { Stopwatch } from "../../machine/clocks/stopwatch.ts";
import { lookArgv } from "./transaction-argv.ts";
import { withoutTrace, type TransactionEnd } from "./transaction-end.ts";

/** "under way": the transaction had not ended when the time was up. */
export type Followed = TransactionEnd | "under way";

export type FollowingTransaction = {
  readonly id: string;
  readonly run: RunCommand;
  readonly stopwatch: Stopwatch;
  /** How the transaction ended, once its unit has written that down. */
  readonly readEnd: () => TransactionEnd | undefined;
};

/** Trying to read a missing file costs almost nothing. */
const betweenReadsMs = 25;
/** Asking PID 1 costs more, because it starts a program. */
const betweenLooksMs = 1000;
const lookTimeoutMs = 20_000;

/**
 * Waits until the transaction's unit is gone. Only PID 1 knows, and root reaches it without the bus. If it does not answer, for example
 * because it executes itself again, we ask again.
 */
export async function followTransaction(following: FollowingTransaction, deadlineMs: number): Promise<Followed> {
  const { stopwatch, readEnd } = following;
  for (;;) {
    if ((await lookAt(following)) === "gone") return readEnd() ?? withoutTrace;
    if (stopwatch.nowMs() >= deadlineMs) return "under way";
    await untilNextLook(following);
  }
}

/** Whether the transaction's unit exists. "unknown": PID 1 gave no answer. */
export async function lookAt({ id, run }: Pick<FollowingTransaction, "id" | "run">): Promise<"there" | "gone" | "unknown"> {
  const result = await run({ argv: lookArgv, env: toolEnvironment, timeoutMs: lookTimeoutMs });
  if (result.kind !== "exited" || result.status !== 0) return "unknown";
  // A unit that has not started yet is inactive, but loaded.
  return /^LoadState=loaded$/m.test(result.stdout) && result.stdout.includes(id) ? "there" : "gone";
}

/** Waits for the next look, or until the unit has written its end, because it then disappears a moment later. */
async function untilNextLook({ stopwatch, readEnd }: FollowingTransaction): Promise<void> {
  const nextMs = stopwatch.nowMs() + betweenLooksMs;
  do {
    // oxlint-disable-next-line no-await-in-loop -- the point is to wait in between
    await stopwatch.wait(betweenReadsMs);
  } while (stopwatch.nowMs() < nextMs && readEnd() === undefined);
}
