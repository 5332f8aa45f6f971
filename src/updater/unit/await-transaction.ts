import { Fault } from "../../rules/fault/fault.ts";
import type { RunCommand } from "../../machine/processes/command.ts";
import type { Log } from "../../machine/logging/log.ts";
import type { UnitName } from "../../rules/settings/settings.ts";
import type { Stopwatch } from "../../machine/clocks/stopwatch.ts";
import { showProperties } from "./properties.ts";
import { transactionUnit } from "./transaction-argv.ts";
import { transactionTimeoutMs } from "./transaction.ts";

export type AwaitEffects = {
  readonly run: RunCommand;
  readonly stopwatch: Stopwatch;
  readonly log: Log;
  readonly stopping: AbortSignal;
};

const betweenLooksMs = 1000;

/**
 * How long to wait. "a-minute": the call changes nothing, and may hang in a dead network. "until-stopped": an earlier pass began the transaction, and the
 * next pass can wait for it too. "to-its-end": it belongs to this pass's change.
 */
export type Await = "a-minute" | "until-stopped" | "to-its-end";

/** Waits for a transaction, which goes on even if its pass was killed. Until it ends, no pass examines or changes the host. */
export async function awaitTransaction({ run, stopwatch, log, stopping }: AwaitEffects, how: Await): Promise<void> {
  const deadlineMs = stopwatch.nowMs() + (how === "a-minute" ? 60_000 : transactionTimeoutMs);
  let isTold = false;
  while (await isUnderWay(run)) {
    if (how !== "to-its-end" && stopping.aborted) throw stoppedWaiting();
    if (stopwatch.nowMs() >= deadlineMs) {
      if (how === "a-minute") return;
      throw stillBusy();
    }
    if (!isTold) log("notice", "a transaction is still under way that was begun before; waiting for its end", {});
    isTold = true;
    // oxlint-disable-next-line no-await-in-loop -- the point is to wait in between
    await stopwatch.wait(betweenLooksMs);
  }
}

const underWay: readonly string[] = ["active", "activating", "deactivating", "reloading"];

async function isUnderWay(run: RunCommand): Promise<boolean> {
  const { ActiveState: state } = await showProperties(run, transactionUnit as UnitName, ["ActiveState"]);
  return underWay.includes(state);
}

export function stoppedWaiting(): Fault {
  return new Fault("stopping", {
    message: "the pass was asked to stop while it waited for a transaction of an earlier pass",
    hint: "nothing to do: the next pass goes on from here",
  });
}

function stillBusy(): Fault {
  return new Fault("busy", {
    message: `a transaction of an earlier pass is still running after ${transactionTimeoutMs / 60_000} minutes`,
    hint: `follow it with \`systemctl status ${transactionUnit}\``,
  });
}
