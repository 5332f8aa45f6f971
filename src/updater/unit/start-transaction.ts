import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import type { CommandResult } from "../../machine/processes/command.ts";
import { isAway } from "../../machine/processes/ask-systemd-again.ts";
import { complaint } from "./complaint.ts";
import { toolEnvironment } from "./environment.ts";
import { lookAt, type FollowingTransaction } from "./follow-transaction.ts";
import { transactionUnit } from "./transaction-argv.ts";

/** How long PID 1 may take to answer one message. */
const startTimeoutMs = 60_000;
/** Enough: on a large host PID 1 needs a second or two to execute itself again. */
const patienceMs = 15_000;
const betweenTriesMs = 500;

/** Has PID 1 start the unit. If the answer is lost, looks whether the unit is there. */
export async function startTransaction(argv: readonly [string, ...string[]], following: FollowingTransaction): Promise<void> {
  const { run, stopwatch, readEnd } = following;
  const deadlineMs = stopwatch.nowMs() + patienceMs;
  for (;;) {
    const result = await run({ argv, env: toolEnvironment, timeoutMs: startTimeoutMs });
    const said = complaint(result);
    if (said === undefined || readEnd() !== undefined || (await lookAt(following)) === "there") return;
    const refusal = refusalIn(result, said);
    if (refusal !== undefined) throw refusal;
    if (stopwatch.nowMs() >= deadlineMs) throw notStarted(said);
    await stopwatch.wait(betweenTriesMs);
  }
}

/** Why PID 1 or systemd-run refused. Undefined if PID 1 may not have got the question. */
function refusalIn(result: CommandResult, said: string): Fault | undefined {
  if (result.kind === "not-started") return notStarted(said);
  if (/already (?:loaded|exists)/.test(said)) {
    return new Fault("busy", {
      message: "another transaction is still running",
      hint: `follow it with \`systemctl status ${transactionUnit}\``,
    });
  }
  // systemd calls a start destructive only while the host is going down.
  if (/is destructive/.test(said)) {
    return new Fault("stopping", {
      message: "the host is going down: no transaction is begun any more",
      hint: "nothing to do: the first pass after the boot goes on from here",
    });
  }
  return /^Failed to (?:find executable|start transient)/.test(said) && !isAway(said) ? notStarted(said) : undefined;
}

function notStarted(said: string): Fault {
  return new Fault("os-failed", {
    message: `systemd did not start the transaction: ${quote(said, 300)}`,
    hint: "see whether systemd answers: `systemctl is-system-running`",
  });
}
