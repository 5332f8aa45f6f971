import type { RolloutJson } from "../../api/generated/svc/v1/rollout_pb.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import { stopwatch } from "../../../machine/clocks/stopwatch.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { tellFault } from "../../../rules/fault/tell-fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import { printInstant } from "../../../rules/window/instant.ts";
import { askedSeconds } from "../asked-time.ts";
import type { TctlContext } from "../context.ts";
import { screen } from "./rollout.ts";

const tryAgain = 75;
/** States in which nobody is told the target until a person does something else. */
const stopped: readonly string[] = ["halted", "undone", "removed"];
/** A log is told of hosts that go on no more often than this; of anything else at once. */
const quietMs = 60_000;
/** Clears a terminal from its upper left corner on. */
const fromTheTop = "\u001B[H\u001B[J";

/** Shows a rollout until it ends: a screen on a terminal, else a line for each change. */
export async function watchRollout(context: TctlContext, given: Given): Promise<number> {
  const [channel = ""] = given.arguments;
  const everyMs = askedSeconds(given.text("every") ?? "5s", "--every") * 1000;
  const limit = given.text("timeout");
  const deadlineMs = limit === undefined ? Infinity : stopwatch.nowMs() + askedSeconds(limit, "--timeout") * 1000;
  const { out, isTerminal, stopping } = context.surroundings;
  const show = isTerminal ? (rollout: RolloutJson) => out(`${fromTheTop}${screen(rollout)}`) : byLines(context);
  const note = noting(context);
  for (;;) {
    const found = await look(context, channel, note);
    if (found !== undefined) {
      show(found);
      if (found.state === "done") return 0;
      if (stopped.includes(found.state ?? "")) throw ended(found);
    }
    if (stopwatch.nowMs() + everyMs > deadlineMs) throw tooLate(channel, limit ?? "");
    await waiting(everyMs, stopping);
  }
}

/** Undefined while auth does not answer: it is asked again. */
async function look({ call }: TctlContext, channel: string, note: (why: string) => void): Promise<RolloutJson | undefined> {
  try {
    const { rollouts: [rollout] = [] } = await call("RolloutService/ListRollouts", { channel });
    note("");
    return rollout;
  } catch (thrown) {
    const { exit, message } = tellFault(thrown, "tctl");
    if (exit !== tryAgain) throw thrown;
    note(message);
    return undefined;
  }
}

/** Says once that auth does not answer. */
function noting({ surroundings: { error } }: TctlContext): (why: string) => void {
  let last = "";
  return (why) => {
    if (why !== "" && last === "") error(`${why}; it is asked again\n`);
    last = why;
  };
}

function byLines({ surroundings: { out }, now }: TctlContext): (rollout: RolloutJson) => void {
  let last = { key: "", told: "", atMs: -Infinity };
  return ({ state = "", told = "", stages = [] }) => {
    const key = JSON.stringify([state, stages.map((stage) => [stage.name, stage.state, stage.failed, stage.silent])]);
    const nowMs = stopwatch.nowMs();
    if (key === last.key && (told === last.told || nowMs - last.atMs < quietMs)) return;
    out(`${printInstant(now())} ${quote(told, 300)}\n`);
    last = { key, told, atMs: nowMs };
  };
}

async function waiting(ms: number, stopping: AbortSignal): Promise<void> {
  const endMs = stopwatch.nowMs() + ms;
  while (stopwatch.nowMs() < endMs) {
    if (stopping.aborted) {
      throw new Fault("stopped", {
        message: "the rollout goes on without being watched",
        hint: "`tctl rollout ls` shows where it stands",
      });
    }
    await stopwatch.wait(Math.min(100, endMs - stopwatch.nowMs()));
  }
}

function ended({ channel = "", told = "" }: RolloutJson): Fault {
  return new Fault("rollout-stopped", {
    message: `the rollout of ${quote(channel)} tells no further host: ${quote(told, 300)}`,
    hint: `\`tctl rollout status ${channel}\` names the hosts that failed`,
  });
}

function tooLate(channel: string, limit: string): Fault {
  return new Fault("rollout-unfinished", {
    message: `the rollout of ${quote(channel)} is not done after ${limit}, and goes on`,
    hint: `\`tctl rollout status ${channel}\` says what it waits for`,
  });
}
